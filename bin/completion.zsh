#compdef mfano
# mfano in zsh: every command, flag and choice. Made by: mfano completion zsh
_mfano() {
  local line files=''
  local -a found
  for line in "${(@f)$("${words[1]}" __complete words "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == ':files' ]]; then files=yes
    elif [[ -n $line ]]; then found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    fi
  done
  (( $#found )) && _describe -t names mfano found
  [[ -n $files ]] && _files
}
if [[ ${funcstack[1]} == _mfano ]]; then _mfano "$@"; else compdef _mfano mfano; fi
