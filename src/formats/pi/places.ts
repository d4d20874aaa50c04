import type { Places } from '../shared/format.ts'

export const PI_PLACES: Places = {
  folders: ['~/.pi/agent/sessions'],
  variables: [{ name: 'PI_CODING_AGENT_DIR', replaces: ['~/.pi/agent'] }],
  // The id stands behind the time.
  file: /(?:^|[/_])([^/_]*)\.jsonl$/,
}
