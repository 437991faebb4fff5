export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A shell with completion support. */
export type Shell = (typeof SHELLS)[number];

/**
 * Scripts that call `kubexm __complete`, which prints a word, a tab and a summary per line, and finally :files or
 * :words.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# kubexm completion for bash: source <(kubexm completion bash)
_kubexm() {
  local IFS=$'\\n' line
  COMPREPLY=()
  while read -r line; do
    case $line in
      :files) compopt -o default ;;
      :words) ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _kubexm kubexm
`,
  zsh: `#compdef kubexm
# kubexm completion for zsh: source <(kubexm completion zsh)
_kubexm() {
  local line files=
  local -a found
  while IFS= read -r line; do
    case $line in
      :files) files=1 ;;
      :words) ;;
      *) line=\${line//:/\\\\:}; found+=("\${line/$'\\t'/:}") ;;
    esac
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if [[ -n $files ]]; then _files; else _describe kubexm found; fi
}
if [[ $funcstack[1] == _kubexm ]]; then _kubexm "$@"; else compdef _kubexm kubexm; fi
`,
  fish: `# kubexm completion for fish: kubexm completion fish | source
function __kubexm_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in ($words[1] __complete -- $words[2..-1] 2>/dev/null)
    switch $line
      case ':files'
        __fish_complete_path (commandline -ct)
      case ':words'
      case '*'
        echo $line
    end
  end
end
complete -c kubexm -f -a '(__kubexm_complete)'
`,
};
