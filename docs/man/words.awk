# docs/man/words.awk: docs/words.md, whose sections are tables of two columns, as kstar(7) in mdoc.
#
#     awk -v version=0.1.0 -v date='November 21, 2026' -f words.awk docs/words.md

function plain(text) {
    gsub(/\\\*/, "*", text)
    gsub(/`/, "", text)
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/"/, "\\(dq", text)
    sub(/^[.']/, "\\\\\\&&", text)
    return text
}
function end_list() {
    if (in_list)
        print ".El"
    in_list = 0
}

BEGIN {
    print ".\\\" Made from docs/words.md by docs/man/words.awk."
    print ".Dd " date
    print ".Dt KSTAR 7"
    print ".Os \"kstar " version "\""
    print ".Sh NAME\n.Nm kstar\n.Nd the words on its sheets and in its commands"
    print ".Sh DESCRIPTION\nMoney words are those of FOCUS, the FinOps Open Cost and Usage Specification."
}
/^## / {
    end_list()
    print ".Ss " substr($0, 4)
    next
}
/^\| --- / {
    print ".Bl -tag -width Ds"
    in_list = 1
    next
}
in_list && /^\| / {
    split(substr($0, 3, length($0) - 4), cell, " \\| ")
    print ".It \"" plain(cell[1]) "\""
    gsub(/\. +/, ".\n", cell[2]) # a sentence begins a line, as mdoc wants it
    print plain(cell[2])
}
END {
    end_list()
    print ".Sh SEE ALSO\n.Xr kstar 1 ,\n.Xr kstar\\-nightly 1 ,\n.Xr kstar.conf 5"
}
