# bash completion for kstar. It asks the kstar on PATH for its commands and options, so it always knows what that one
# knows, and nothing is to be kept up to date here. Not `$1`: ./kstar in somebody else's folder is not run by a tab.

_kstar_commands() {
    command kstar help 2>/dev/null | awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on { sub(/^  /, ""); sub(/  +.*/, ""); print }'
}

# The options of a command, a line each: "--out DIR".
_kstar_options() {
    # shellcheck disable=SC2086 # a command may be two words
    command kstar $1 --help 2>/dev/null </dev/null | sed -n 's/^  \(--[^ ]*\( [^a-z ][^ ]*\)\{0,1\}\) .*/\1/p'
}

_kstar() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local commands command='' typed='' word argument i
    commands=$(_kstar_commands)
    COMPREPLY=()

    # The command so far: its one or two words before the cursor.
    for ((i = 1; i < COMP_CWORD && i < 3; i++)); do
        word=${COMP_WORDS[i]}
        [[ $i = 1 && $word = help ]] && continue
        typed=${typed:+$typed }$word
        grep -Fqx -- "$typed" <<<"$commands" && command=$typed
    done
    [[ ${COMP_WORDS[1]} = help && $COMP_CWORD -eq 3 && -z $command ]] && typed=${COMP_WORDS[2]}

    if [[ -z $command ]]; then
        local words
        if [[ -z $typed ]]; then
            words=$(cut -d' ' -f1 <<<"$commands" | sort -u)
            [[ ${COMP_WORDS[1]} = help && $COMP_CWORD -gt 1 ]] || words+=$'\nhelp\n--version\n--help'
        else
            words=$(sed -n "s/^${typed//[^a-z-]/} //p" <<<"$commands")
        fi
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        return
    fi

    argument=$(_kstar_options "$command" | sed -n "s/^${previous//[^a-z-]/} //p")
    case $previous:$argument in
    --*:*FILE* | --*:*DIR* | --*:*COMMAND*) compopt -o filenames 2>/dev/null
        if [[ $argument = *DIR* ]]; then
            mapfile -t COMPREPLY < <(compgen -d -- "$current")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
        fi
        return ;;
    --*:?*) return ;; # a value that nobody can guess
    esac
    if [[ $current = -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_kstar_options "$command" | cut -d' ' -f1)" -- "$current")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}

complete -F _kstar kstar
