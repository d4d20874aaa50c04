import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { sessionOutput, written } from '../../../src/cli/output/write-session.ts'
import { decoded, fixture } from '../../formats/fixture.ts'

it('a file names the version of the agent that it came from, and no other agent’s', () => {
  const claude = decoded(fixture('claude-code.jsonl'))
  const codex = decoded(fixture('codex.jsonl'))
  expect(written(claude, claude.entries, 'claude-code').text).toContain('"version":"2.1.40"')
  expect(written(codex, codex.entries, 'claude-code').text).not.toContain(`"version":"${codex.version}"`)
})

it('our own log comes back entry by entry, with title and folder', () => {
  const session = decoded(fixture('claude-code-compacted.jsonl'))
  const { text, sessionId } = written(session, session.entries, 'pith')
  const back = decoded(text)
  expect(back.entries).toEqual(session.entries)
  expect(back).toMatchObject({ format: 'pith', sessionId, workspace: session.workspace, startedAt: session.startedAt })
})

it('a written log says how to import that very file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-write-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const session = decoded(fixture('claude-code.jsonl'))
  const hintFor = async (name: string) =>
    (await sessionOutput(session, session.entries, { to: 'pith', out: join(folder, name) })).write().hint
  expect(await hintFor('log.jsonl')).toBe(`To go on: pith import ${join(folder, 'log.jsonl')}`)
  expect(await hintFor("Ann's log.jsonl")).toBe(`To go on: pith import '${join(folder, "Ann'\\''s log.jsonl")}'`)
})
