import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The PATH with a folder that no user can enter, not even root: a link to itself. It is gone after the test. */
export function closedPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-closed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const closed = join(folder, 'closed')
  symlinkSync(closed, closed)
  return [closed, process.env.PATH].join(delimiter)
}
