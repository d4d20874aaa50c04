import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { sessionOutput, written } from '../../../src/cli/output/write-session.ts'
import { shellWord } from '../../../src/model/text.ts'
import { originIn } from '../../../src/session/import/origin.ts'
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

it('a session of no folder is written for this one, so that the agent finds it', () => {
  const { workspace: _, ...session } = decoded(fixture('claude-code.jsonl'))
  const { text, place } = written(session, session.entries, 'claude-code')
  expect(place).toContain(`/${process.cwd().replaceAll(/[^A-Za-z0-9]/g, '-')}/`)
  expect(text).toContain(`"cwd":${JSON.stringify(process.cwd())}`)
})

it('a session whose folder is on another machine says how to continue here, and how there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-write-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const session = decoded(fixture('claude-code.jsonl'))
  let count = 0
  const hintFor = async (workspace: string, source: string) => {
    const out = join(folder, `${count++}.jsonl`)
    const { write } = await sessionOutput({ ...session, workspace }, session.entries, { to: 'pi', out, source })
    return write()
  }
  const { hint } = await hintFor('/no/such folder', "Ann's.jsonl")
  expect(hint).toMatch(
    /^To continue in this folder: pith handoff 'Ann'\\''s\.jsonl' --to pi\. On the machine that has \/no\/such folder: copy it to (~\/'\.pi\/[^']+ [^']+'), then pi --session \1$/,
  )
  const fromInput = await hintFor('/no/such folder', '-')
  expect(fromInput.hint).toContain(`pith handoff ${shellWord(fromInput.path)} --to pi.`)
  expect((await hintFor(folder, 'a.jsonl')).hint).toMatch(/^To continue: copy it to /)
})

it('a written log says how to import that very file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-write-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const session = decoded(fixture('claude-code.jsonl'))
  const hintFor = async (name: string) =>
    (await sessionOutput(session, session.entries, { to: 'pith', out: join(folder, name) })).write().hint
  expect(await hintFor('log.jsonl')).toBe(`To continue: pith import ${shellWord(join(folder, 'log.jsonl'))}`)
  expect(await hintFor("Ann's log.jsonl")).toBe(`To continue: pith import '${join(folder, "Ann'\\''s log.jsonl")}'`)
})

it('makes no folder for a file, and names the one that is missing', async () => {
  const made = mkdtempSync(join(tmpdir(), 'pith-write-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  const folder = join(made, 'exprots')
  const session = decoded(fixture('claude-code.jsonl'))
  const { write } = await sessionOutput(session, session.entries, { to: 'pi', out: join(folder, 'a.jsonl') })
  expect(write).toThrow(
    `${join(folder, 'a.jsonl')} cannot be written (there is no folder ${folder}): name another place`,
  )
  expect(existsSync(folder)).toBe(false)
})

it('our own log keeps the agent that a session comes from, with its window and its system prompt', async () => {
  const session = decoded(fixture('codex.jsonl'))
  const origin = { agent: 'codex', window: 272_000, system: 'You are a coding agent.' }
  const { text } = await sessionOutput(session, session.entries, { to: 'pith', origin })
  expect(originIn(decoded(text).entries)).toEqual(origin)
})
