import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { LOST_TRACK } from '../../../src/agent/interruption.ts'
import { commandThatWaits } from '../../support/command-that-waits.ts'
import { full } from '../../support/full.ts'
import { type RunWorld, runWorld } from '../../support/run-world.ts'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

/** Runs until the file `go` is there. */
const WAITS = `touch started; ${commandThatWaits('go')}; echo the true output`
const LONG = { timeout: 30_000 }

async function world(): Promise<RunWorld> {
  return runWorld({ brain: scriptedBrain({ steps: [calling('bash', { command: WAITS })] }) })
}

/** One of the two is this process, which takes a fraction of the time; in the long form both have one of their own. */
const run = (one: RunWorld, ...args: readonly string[]) =>
  (full ? one.pith : one.here)('run', ...args, '--permissions', 'full')

const started = ({ workspace }: RunWorld) =>
  vi.waitUntil(() => existsSync(join(workspace, 'started')), { ...LONG, interval: 50 })

describe('a second process in a session', { timeout: 60_000 }, () => {
  it('waits until the turn of the first has ended, and answers none of its calls', async () => {
    const one = await world()
    const first = run(one, 'Do the first thing.')
    await started(one)
    const second = one.start(['run', '--continue', '--permissions', 'full', 'Do the second thing.'])
    await second.printed('is working in this session')
    expect(one.server.requests).toHaveLength(1)
    writeFileSync(join(one.workspace, 'go'), '')
    expect(await Promise.all([first, second.ended])).toMatchObject([{ code: 0 }, { code: 0 }])
    const said = saidTo(one.server.requests.at(-1)?.request)
    expect(said).toMatch(/first thing.*the true output.*Done\..*second thing/s)
    expect(said).not.toContain(LOST_TRACK)
  })

  it('does not wait for one that was killed', async () => {
    const one = await world()
    const first = one.start(['run', '--permissions', 'full', 'Do the first thing.'])
    await started(one)
    first.child.kill('SIGKILL')
    await first.ended
    writeFileSync(join(one.workspace, 'go'), '')
    const { code, stderr } = await run(one, '--continue', 'Do the second thing.')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('is at work') })
    expect(saidTo(one.server.requests.at(-1)?.request)).toContain(LOST_TRACK)
  })

  it('that is interrupted while it waits says nothing, and says so', async () => {
    const one = await world()
    const first = run(one, 'Do the first thing.')
    await started(one)
    const second = one.start(['run', '--continue', 'Do the second thing.'])
    await second.printed('is working in this session')
    second.child.kill('SIGINT')
    expect((await second.ended).stderr).toContain('your message was not sent')
    writeFileSync(join(one.workspace, 'go'), '')
    expect(await first).toMatchObject({ code: 0 })
    expect(saidTo(one.server.requests.at(-1)?.request)).not.toContain('second thing')
  })
})
