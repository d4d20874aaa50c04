import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeExport } from '../../../src/tui/port/shared.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('an exported session', () => {
  it('is written into a new file, and never over an existing one', async () => {
    const path = join(emptyFolder(), 'session.jsonl')
    const place = { path, folder: 'named' } as const
    expect(await writeExport(place, ['{}\n', '{}\n'])).toEqual({ ok: true, text: `Exported to ${path}` })
    expect(readFileSync(path, 'utf8')).toBe('{}\n{}\n')
    writeFileSync(path, 'mine')
    expect(await writeExport(place, ['{}\n'])).toEqual({
      ok: false,
      text: `${path} was not written: it exists already; name another file: /export <path>`,
    })
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })

  it('makes no folder that the user names', async () => {
    const folder = join(emptyFolder(), 'exprots')
    const path = join(folder, 'session.jsonl')
    expect(await writeExport({ path, folder: 'named' }, ['{}\n'])).toEqual({
      ok: false,
      text: `${path} was not written: there is no folder ${folder}; name another file: /export <path>`,
    })
    expect(existsSync(folder)).toBe(false)
  })

  it('makes Pith’s own folder of exports', async () => {
    const path = join(emptyFolder(), 'data', 'exports', 'session.jsonl')
    expect(await writeExport({ path, folder: 'own' }, ['{}\n'])).toMatchObject({ ok: true })
    expect(readFileSync(path, 'utf8')).toBe('{}\n')
  })
})
