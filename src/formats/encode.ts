import { PithError } from '../model/problems/errors.ts'
import { formatNamed, type WritableFormat } from './formats.ts'
import type { AgentFile, WriteDeps, WriteInput } from './shared/format.ts'

/** Writes a session as a new file. The same log with the same ids and clock gives the same text. */
export function encode(session: WriteInput, format: WritableFormat, deps: WriteDeps): AgentFile {
  const { write } = formatNamed(format)
  if (write === undefined) throw new PithError('bad-argument', `sessions cannot be written as ${format}`)
  return write(session, deps)
}
