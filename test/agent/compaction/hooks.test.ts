import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { compactNow } from '../../../src/agent/compaction/compact-now.ts'
import { groupIsAlive } from '../../../src/agent/processes/process-table.ts'
import type { Settings } from '../../../src/config/tables/settings.ts'
import { unusedFocusIn } from '../../../src/engine/report/outcome.ts'
import { undo } from '../../../src/session/user-changes.ts'
import { type AgentWorld, agentWorld } from '../../support/agent-world.ts'
import { closedPath } from '../../support/closed-path.ts'
import { longText, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

/** A session with something to compact, and these hooks. */
async function withHooks(hooks: Settings['hooks'], window?: number, PATH = process.env.PATH) {
  const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 3_000) }))
  world = await agentWorld({
    window,
    brain: scriptedBrain({ steps }),
    modelDeps: { env: { PATH, OPENAI_API_KEY: 'sk-secret' } },
    settings: { hooks, policy: { tokenLimit: 11_500, rungs: ['cold', 'digest', 'squeeze'] } },
  })
  for (const text of ['First.', 'Second.', 'Third.']) await world.say(text)
}

const compacted = () => compactNow(world.agent, { reason: 'manual', signal: new AbortController().signal })
const notices = () => world.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))
const summaryRequest = () => saidTo(world.server.requests.findLast(({ summarising }) => summarising)?.request)
const file = (name: string) => readFileSync(join(world.workspace, name), 'utf8')

/** The process group of a hook that wrote its number. On a busy machine it may be killed before its shell comes to that. */
const groupsBegun = () =>
  existsSync(join(world.workspace, 'group.txt')) ? [Number(file('group.txt'))].filter((group) => group > 1) : []

describe('the hook before a compaction', () => {
  it('refuses it by its exit code, and its words are the reason', async () => {
    await withHooks({ beforeCompaction: { command: 'echo run >> ran.txt; echo "not during the release" >&2; exit 3' } })
    expect(await compacted()).toMatchObject({ outcome: 'refused', compacted: false, reason: 'not during the release' })
    expect(world.events).toContainEqual(
      expect.objectContaining({ type: 'compaction-ended', result: expect.objectContaining({ outcome: 'refused' }) }),
    )
    // By itself: it is refused too, the run continues, and the hook is not run at every step.
    expect(await world.say('Go on.')).toMatchObject({ reason: 'done' })
    expect(await world.say('Go on.')).toMatchObject({ reason: 'done' })
    expect(file('ran.txt')).toBe('run\nrun\n')
    const { entries } = await world.store.entries(world.session, { only: 'changes' })
    expect(entries).toEqual([])
  })

  it('stops a run whose context is full, with its words', async () => {
    await withHooks({ beforeCompaction: { command: 'echo "not now" >&2; exit 3' } }, 16_000)
    expect(await world.say(longText('typed', 6_000))).toMatchObject({
      reason: 'context-limit',
      text: expect.stringContaining('and was left as it is: not now. What you can do: compact it with /compact'),
    })
  })

  it('gets no notice that its words changed nothing: that is for a focus that the user typed', async () => {
    await withHooks({ beforeCompaction: { command: 'echo "the ports"' } })
    const digest = async (focus?: string) => {
      const { signal } = new AbortController()
      const policy = { ...world.agent.policyPatch, rungs: ['digest' as const] }
      const { outcome, entries } = await compactNow(world.agent, { reason: 'manual', signal, focus, policy })
      const [recorded] = entries.flatMap((entry) => (entry.type === 'compaction' ? [entry.focus] : []))
      return { outcome, recorded, unused: unusedFocusIn(entries) }
    }
    expect(await digest()).toEqual({ outcome: 'compacted', recorded: undefined, unused: undefined })
    await undo(world.store, world.session)
    await world.agent.live.refresh()
    expect(await digest('the login')).toEqual({
      outcome: 'compacted',
      recorded: 'the login',
      unused: 'The focus changed nothing: only a summary by a model follows it',
    })
  })

  it('is quoted in one line of 200 characters, however much it says', async () => {
    await withHooks({ beforeCompaction: { command: "printf 'x%.0s' $(seq 300) >&2; exit 3" } })
    expect(await compacted()).toMatchObject({ outcome: 'refused', reason: `${'x'.repeat(200)}…` })
  })

  it('adds what it prints to what the summary is about, and knows what it is about', async () => {
    await withHooks({ beforeCompaction: { command: 'cat > about.json; echo "Keep port 8443."; echo $OPENAI_API_KEY' } })
    expect(await compacted()).toMatchObject({ outcome: 'compacted' })
    expect(JSON.parse(file('about.json'))).toMatchObject({
      event: 'before_compaction',
      session: world.session,
      reason: 'manual',
      tokens: expect.any(Number),
    })
    const said = summaryRequest()
    expect(said).toContain('Keep port 8443.')
    expect(said).not.toContain('sk-secret')
  })

  it('adds it to what the user asks for, in a line of its own', async () => {
    await withHooks({ beforeCompaction: { command: 'echo "Keep port 8443."' } })
    const { signal } = new AbortController()
    await compactNow(world.agent, { reason: 'manual', signal, focus: 'The colour of the door.' })
    expect(summaryRequest()).toContain('attention to this: The colour of the door.\nKeep port 8443.')
  })

  it('that does not exist is reported so, also with a folder in the PATH that cannot be entered', async () => {
    await withHooks({ beforeCompaction: { command: 'no-such-hook-here' } }, undefined, closedPath())
    await compacted()
    expect(notices()).toEqual([expect.stringMatching(/^The hook before the compaction failed: .*not found$/)])
  })

  it.each([
    ['that hangs', 'echo $$ > group.txt; sleep 60', 300, 'it took longer than 300 ms'],
    ['that does not exist', 'no-such-hook-here', 30_000, 'not found'],
  ])('%s is reported, and the session is compacted without it', async (_, command, timeoutMs, why) => {
    await withHooks({ beforeCompaction: { command, timeoutMs } })
    expect(await compacted()).toMatchObject({ outcome: 'compacted' })
    expect(notices()).toEqual([expect.stringMatching(/^The hook before the compaction failed: /)])
    expect(notices()[0]).toContain(why)
    expect(summaryRequest()).not.toContain('Pay special attention')
    // It has been sent SIGKILL; when it is gone is up to the system.
    const alive = () => groupsBegun().filter((group) => groupIsAlive(group))
    if (command.includes('sleep')) await expect.poll(alive, { timeout: 20_000 }).toEqual([])
  })

  it('that cannot be started, as its folder is gone, is reported, and the session is compacted without it', async () => {
    await withHooks({ beforeCompaction: { command: 'true' } })
    rmSync(world.workspace, { recursive: true })
    expect(await compacted()).toMatchObject({ outcome: 'compacted' })
    expect(notices()).toEqual([expect.stringMatching(/^The hook before the compaction failed: spawn .+ ENOENT$/)])
  })

  it('adds no more than 4,000 characters', async () => {
    await withHooks({ beforeCompaction: { command: "printf '~%.0s' $(seq 5000)" } })
    await compacted()
    const said = summaryRequest()
    expect(said.match(/~+/g)).toEqual(['~'.repeat(4_000)])
  })

  it('that hangs does not hold up a user who interrupts', async () => {
    await withHooks({ beforeCompaction: { command: 'touch begun.txt; sleep 60', timeoutMs: 60_000 } })
    const stop = new AbortController()
    const result = compactNow(world.agent, { reason: 'manual', signal: stop.signal })
    stop.abort()
    expect(await result).toMatchObject({ outcome: 'cancelled', compacted: false })
    expect(notices()).toEqual([])
  })
})

describe('the hook after a compaction', () => {
  it('gets the outcome', async () => {
    await withHooks({ afterCompaction: { command: 'cat > about.json' } })
    await compacted()
    expect(JSON.parse(file('about.json'))).toMatchObject({
      event: 'after_compaction',
      outcome: 'compacted',
      tokensBefore: expect.any(Number),
      tokensAfter: expect.any(Number),
      summary: expect.any(String),
    })
  })

  it('that fails changes nothing but is reported', async () => {
    await withHooks({ afterCompaction: { command: 'echo "no space left" >&2; exit 1' } })
    expect(await compacted()).toMatchObject({ outcome: 'compacted' })
    expect(notices()).toEqual(['The hook after the compaction failed: no space left'])
  })
})
