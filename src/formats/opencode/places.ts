import type { Places } from '../shared/format.ts'

/** opencode keeps its sessions in a database, or each message and each part in a file of its own. */
export const OPENCODE_PLACES: Places = {
  folders: ['~/.local/share/opencode'],
  variables: [{ name: 'XDG_DATA_HOME', replaces: ['~/.local/share'] }],
}
