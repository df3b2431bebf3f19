# docs/man/words.awk: docs/words.md, whose sections are lists of **word**: meaning, as kstar(7) in mdoc.
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
/^- \*\*/ {
    if (!in_list)
        print ".Bl -tag -width Ds"
    in_list = 1
    word = substr($0, 5, index($0, "**: ") - 5)
    meaning = substr($0, index($0, "**: ") + 4)
    print ".It \"" plain(word) "\""
    gsub(/\. +/, ".\n", meaning) # a sentence begins a line, as mdoc wants it
    print plain(meaning)
}
END {
    end_list()
    print ".Sh SEE ALSO\n.Xr kstar 1 ,\n.Xr kstar\\-nightly 1 ,\n.Xr kstar.conf 5"
}
