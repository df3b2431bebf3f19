# Completion in bash and zsh offers what the program has: every command, every option, nothing else.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
. "$KSTAR_SOURCE_DIR/cron/completion/kstar.bash"
commands=$(kstar help | awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on' | cut -c3-24 | sed 's/ *$//')
mkdir "$WORK/here" && cd "$WORK/here"
mkdir folder && touch file 'file with spaces'

# offered LINE: what a tab offers at its end.
offered() {
    read -ra COMP_WORDS <<<"$1"
    [[ $1 = *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _kstar 2>/dev/null
    printf '%s\n' "${COMPREPLY[@]}" | sort
}
options_of() {
    # shellcheck disable=SC2086 # a command may be two words
    kstar $1 --help | grep -oE '^  --[a-z0-9-]+' | tr -d ' ' | sort
}

it "offers every command, a word at a time"
equals "$({ cut -d' ' -f1 <<<"$commands"; printf '%s\n' help --help --version; } | sort -u)" "$(offered 'kstar ')"
for first in $(grep ' ' <<<"$commands" | cut -d' ' -f1 | sort -u); do
    equals "$(sed -n "s/^$first //p" <<<"$commands" | sort)" "$(offered "kstar $first ")"
    equals "$(sed -n "s/^$first //p" <<<"$commands" | sort)" "$(offered "kstar help $first ")"
done
equals $'ingest\ninit' "$(offered 'kstar in')"

it "offers every option of every command"
while read -r command; do
    equals "$(options_of "$command")" "$(offered "kstar $command --")"
done <<<"$commands"

it "offers folders, files or nothing for the value of an option, and files for operands"
equals folder "$(offered 'kstar nightly --out ')"
equals "" "$(offered 'kstar nightly --as-of ')"
equals "$(ls)" "$(offered 'kstar model --evaluate ')"
equals "$(ls)" "$(offered 'kstar ingest jobs ')"

it "runs nothing but the kstar on PATH"
printf '#!/bin/sh\ntouch run\n' >kstar
chmod +x kstar
offered './kstar ' >/dev/null
[ ! -e run ] || fail "./kstar was run"

if ! command -v zsh >/dev/null; then
    echo "- not looked at: zsh, which is not here"
    exit
fi
zsh_offered() {
    zsh -f -c '
        _describe() { print -l -- ${${(P)2}%%:*} | sort }
        _files() { print FILES }
        words=("${(@s: :)1}"); CURRENT=$#words
        source "$KSTAR_SOURCE_DIR/cron/completion/_kstar"' zsh "$1"
}
it "offers the same in zsh"
equals "$({ cut -d' ' -f1 <<<"$commands"; printf '%s\n' help --help --version; } | sort -u)" "$(zsh_offered 'kstar ' | sort -u)"
equals "$(sed -n 's/^ingest //p' <<<"$commands" | sort)" "$(zsh_offered 'kstar ingest ')"
while read -r command; do
    equals "$(options_of "$command")" "$(zsh_offered "kstar $command --")"
done <<<"$commands"
equals FILES "$(zsh_offered 'kstar ingest jobs ')"
