import { fields, parsed } from '../json.ts'

const COPY = ',"toolUseResult":'

/**
 * Parses a line of Claude Code without the copy of a tool's result that only its user interface needs: half of a file
 * is such copies. They stand behind all that we look at; where they do not, nothing is gained and the caller parses.
 */
export function parseLine(text: string): unknown {
  const copy = text.indexOf(COPY)
  if (copy === -1) return undefined
  const line = fields(parsed(`${text.slice(0, copy)}}`))
  return line !== undefined && 'uuid' in line && 'message' in line && 'timestamp' in line ? line : undefined
}
