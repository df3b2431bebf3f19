# docs/man/page.awk: what `kstar COMMAND --help` prints, as a manual page in mdoc.
#
#     awk -v command='ingest billing' -v version=0.1.0 -v date='November 21, 2026' -f page.awk
#
# The tables behind --help (base/options.h) are the one source: a page is made with each build and is written by nobody.

function escape(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/"/, "\\(dq", text)
    sub(/^[.']/, "\\\\\\&&", text)
    return text
}
# Running text: each sentence begins a line, as mdoc wants it.
function running(text) {
    text = escape(text)
    gsub(/\. +/, ".\n", text)
    return text
}
# An operand of a macro: no word of it is taken for a macro of its own.
function operand(text) {
    return "\"" escape(text) "\""
}
function section(name) {
    print ".Sh " name
}
# "  --out DIR                  where the workbooks go"
function option(line,    parts, name, meant, value) {
    sub(/^  --/, "", line)
    match(line, /  +/)
    name = substr(line, 1, RSTART - 1)
    meant = substr(line, RSTART + RLENGTH)
    if (RSTART == 0) { # too long for its column: one space stands between
        match(line, /^[^ ]+( [^a-z ]+)?/)
        name = substr(line, 1, RLENGTH)
        meant = substr(line, RLENGTH + 2)
    }
    value = name
    if (sub(/^[^ ]+ /, "", value)) {
        sub(/ .*/, "", name)
        print ".It Fl " operand("-" name) " Ar " operand(value)
    } else
        print ".It Fl " operand("-" name)
    print running(meant)
}
function end_list() {
    if (in_list)
        print ".El"
    in_list = 0
}

BEGIN {
    page = "kstar-" command
    gsub(/ /, "-", page)
    print ".\\\" Made from kstar " command " --help by docs/man/page.awk."
    print ".Dd " date
    print ".Dt " toupper(page) " 1"
    print ".Os \"kstar " version "\""
    section("NAME")
    print ".Nm " page
}
/docs\// {
    names_documents = 1
}
NR == 1 {
    sub(/^[^:]*: /, "")
    print ".Nd " escape($0)
    next
}
/^usage: / || (part == "usage" && /^       /) {
    if (part != "usage")
        section("SYNOPSIS")
    else
        print ".Pp"
    part = "usage"
    sub(/^(usage: |       )kstar /, "")
    print ".Nm kstar\n" escape($0)
    next
}
/^(common )?options:$/ {
    end_list()
    if (part != "options")
        section("OPTIONS")
    part = "options"
    if (/^common/)
        print ".Ss Common to all commands"
    print ".Bl -tag -width Ds"
    in_list = 1
    next
}
/^examples:$/ {
    end_list()
    section("EXIT STATUS")
    print "0 when done; otherwise as in\n.Xr kstar 1 ."
    section("EXAMPLES")
    part = "examples"
    next
}
/^$/ {
    wants_paragraph = part == "description"
    next
}
part == "options" {
    option($0)
    next
}
part == "examples" {
    sub(/^  /, "")
    print ".Dl " operand($0)
    next
}
{
    if (part != "description")
        section("DESCRIPTION")
    else if (wants_paragraph)
        print ".Pp"
    wants_paragraph = 0
    part = "description"
    print running($0)
}
END {
    section("SEE ALSO")
    print ".Xr kstar 1 ,\n.Xr kstar 7"
    if (names_documents)
        print ".Pp\nThe folder docs is that of the documents:\n.Pa /usr/share/doc/kstar\nof the Debian package."
}
