# Adds what the last summary forgot to the context. Claude Code runs this at every prompt and every round of tools, so Node
# starts only if an addition for this session is waiting. A second argument is the program to start instead of `node`.
for data in "$PITH_HOME" "$XDG_DATA_HOME/pith" "$HOME/.local/share/pith" "$HOME/Library/Application Support/pith" "$LOCALAPPDATA/pith"; do
  if [ -n "$data" ] && [ -e "$data/additions/$CLAUDE_CODE_SESSION_ID" ]; then
    exec "${2:-node}" "$(dirname "$0")/hook.cjs" "$1"
  fi
done
exit 0
