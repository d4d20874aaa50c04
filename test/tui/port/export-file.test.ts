import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeExport } from '../../../src/tui/port/export-file.ts'

describe('an exported session', () => {
  it('is written into a new file, and never over an existing one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pith-export-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'session.jsonl')
    expect(await writeExport(file, ['{}\n', '{}\n'])).toEqual({ ok: true, text: `Exported to ${file}` })
    expect(readFileSync(file, 'utf8')).toBe('{}\n{}\n')
    writeFileSync(file, 'mine')
    expect(await writeExport(file, ['{}\n'])).toEqual({
      ok: false,
      text: `${file} was not written: it exists already; name another file: /export <path>`,
    })
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })
})
