import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { agentOf, requireStoredId } from '../../../src/cli/sessions/session-source.ts'
import { decoded, fixture } from '../../formats/fixture.ts'
import { newStore } from '../../support/new-store.ts'

it('a session of another agent is named as one, with the command that imports it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'pith-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const store = await newStore(join(home, 'pith.db'))
  onTestFinished(() => store.close())
  const folder = join(home, '.claude/projects/-repo')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'adf9c1d2.jsonl'), 'x')
  const named = (what: string) => requireStoredId(store, what, { HOME: home })
  await expect(named('adf9')).rejects.toThrow(
    'adf9 is a session of Claude Code, and this works with Pith’s own: pith import adf9 takes it in first',
  )
  await expect(named('beef')).rejects.toThrow('there is no session beef: pith sessions lists them')
})

it('an imported session is the work of the agent that it comes from', () => {
  const session = { ...decoded(fixture('claude-code.jsonl')), agent: 'Pith' }
  expect(agentOf({ session, origin: { agent: 'Claude Code' } })).toBe('Claude Code')
  expect(agentOf({ session, origin: undefined })).toBe('Pith')
})
