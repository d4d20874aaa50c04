# Starts Node only where a compaction of this session waits to be told: this runs at every prompt and every round of tools.
for data in "$PITH_HOME" "$XDG_DATA_HOME/pith" "$HOME/.local/share/pith" "$HOME/Library/Application Support/pith" "$LOCALAPPDATA/pith"; do
  if [ -n "$data" ] && [ -e "$data/additions/$CLAUDE_CODE_SESSION_ID" ]; then
    exec node "$(dirname "$0")/hook.cjs" "$1"
  fi
done
exit 0
