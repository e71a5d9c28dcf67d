# mfano in bash: every command, flag and choice. Made by: mfano completion bash
_mfano() {
  local line files='' quotes=yes current="${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  # The line as it was typed, because bash takes words apart at every colon and every equals sign.
  while IFS= read -r line; do
    if [[ $line == ':files' ]]; then files=yes
    else printf -v line %q "${line%%$'\t'*}"; COMPREPLY+=("$line")
    fi
  done < <("${COMP_WORDS[0]}" __complete line "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
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
