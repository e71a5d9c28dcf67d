import { keysIn } from '../../../core/model/must.ts'
import { CLEAN, jsonFlag, type TopCommand } from '../command.ts'
import { oneOf } from '../typed-values.ts'

// A script asks mfano what could come next. The line `:files` says that files of the folder fit too. A shell must put
// in every candidate quoted: a file may be named `a$(id);b c`.

const bash = `# mfano in bash: every command, flag and choice. Made by: mfano completion bash
_mfano() {
  local line files='' quotes=yes current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  # The line as it was typed, because bash takes words apart at every colon and every equals sign.
  while IFS= read -r line; do
    if [[ $line == ':files' ]]; then files=yes
    else printf -v line %q "\${line%%$'\\t'*}"; COMPREPLY+=("$line")
    fi
  done < <("\${COMP_WORDS[0]}" __complete line "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
  if [[ $files ]]; then
    [[ $current == '=' ]] && current=''
    # Bash quotes them from version 4 on.
    type compopt &>/dev/null && compopt -o filenames && quotes=''
    while IFS= read -r line; do
      [[ $quotes ]] && printf -v line %q "$line"
      COMPREPLY+=("$line")
    done < <(compgen -f -- "$current")
  fi
}
complete -F _mfano mfano
`

const zsh = `#compdef mfano
# mfano in zsh: every command, flag and choice. Made by: mfano completion zsh
_mfano() {
  local line files=''
  local -a found
  for line in "\${(@f)$("\${words[1]}" __complete words "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == ':files' ]]; then files=yes
    elif [[ -n $line ]]; then found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  (( $#found )) && _describe -t names mfano found
  [[ -n $files ]] && _files
}
if [[ \${funcstack[1]} == _mfano ]]; then _mfano "$@"; else compdef _mfano mfano; fi
`

const fish = `# mfano in fish: every command, flag and choice. Made by: mfano completion fish
function __mfano_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    for line in ($typed[1] __complete words $typed[2..-1] "$current" 2>/dev/null)
        if test "$line" = ':files'
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c mfano -f -a '(__mfano_complete)'
`

const scripts = { bash, zsh, fish }
const shells = keysIn(scripts)

export const completionCommand: TopCommand = {
  words: 'SHELL',
  names: [shells],
  flags: [jsonFlag],
  examples: [
    'source <(mfano completion bash)',
    'mfano completion zsh > ~/.zfunc/_mfano',
    'mfano completion fish > ~/.config/fish/completions/mfano.fish',
  ],
  run: (given, { out }) => {
    const shell = oneOf('SHELL', given.words[0], shells)
    const script = scripts[shell]
    out(given.has('json') ? `${JSON.stringify({ shell, script }, null, 2)}\n` : script)
    return CLEAN
  },
}
