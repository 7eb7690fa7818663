# Completion for bash: source this file, or put it into /usr/share/bash-completion/completions/agent-sandboxes.
# Commands and options are those of the program's own --help; what an option takes is written down here.

_agent_sandboxes() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} options
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "--help --version $("$program" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p')" -- "$word")
        return
    fi
    local kinds=
    case $command in
        add) kinds='provider offering source exemption measurement' ;;
        import) kinds='measurements providers' ;;
        sources) kinds='check' ;;
    esac
    if [ -n "$kinds" ] && [ "$COMP_CWORD" = 2 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$kinds --help" -- "$word")
        return
    fi
    options=$("$program" "$command" ${kinds:+"${COMP_WORDS[2]}"} --help 2>/dev/null)
    case $before in
        --db | --overlay | --site | --seed | --out | --resume | --signature | --signers | --sums) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        --folder | --templates | --public | --static) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
        --basis) mapfile -t COMPREPLY < <(compgen -W 'vendor-stated vendor-claim repo third-party inferred' -- "$word") ;;
        --log-level) mapfile -t COMPREPLY < <(compgen -W 'error warn info debug' -- "$word") ;;
        --proxy-field) mapfile -t COMPREPLY < <(compgen -W 'x-forwarded-for forwarded' -- "$word") ;;
        --confine) mapfile -t COMPREPLY < <(compgen -W 'require auto off' -- "$word") ;;
        --log-format) mapfile -t COMPREPLY < <(compgen -W 'text json' -- "$word") ;;
        *)
            if [[ $command =~ ^(import|diff|new|verify)$ && $word != -* ]]; then
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
                return
            fi
            mapfile -t COMPREPLY < <(compgen -W "$(sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p' <<<"$options")" -- "$word")
            ;;
    esac
}

complete -F _agent_sandboxes agent-sandboxes
