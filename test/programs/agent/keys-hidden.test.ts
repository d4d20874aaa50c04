import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runWorld } from '../../support/run-world.ts'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

const KEY = 'my-own-key-0123456789-abcdefgh'
if (process.platform !== 'linux') console.warn('Not tried: only Linux shows the environment of a process.')

describe('a key in the environment of Pith', () => {
  it.skipIf(process.platform !== 'linux')('is not in what a command without a sandbox can read of it', async () => {
    // Backwards, so that the result of the command is not cleaned of it.
    const command = `tr '\\0' '\\n' < /proc/$PPID/environ | grep -a _API_KEY | rev`
    const world = await runWorld({ brain: scriptedBrain({ steps: [calling('bash', { command })] }) })
    const env = { OPENAI_API_KEY: KEY }
    expect(await world.start(['run', '--permissions', 'full', 'Do it.'], { env }).ended).toMatchObject({ code: 0 })
    const said = saidTo(world.server.requests.at(-1)?.request)
    expect(said).toContain('***=YEK_IPA_IANEPO')
    expect(said).not.toContain([...KEY].reverse().join(''))
  })

  it('is left out of the results of tools, wherever they found it', async () => {
    const steps = [calling('bash', { command: 'cat notes.txt' }), calling('read', { path: 'notes.txt' })]
    const world = await runWorld({ brain: scriptedBrain({ steps }) })
    writeFileSync(join(world.workspace, 'notes.txt'), `the key is ${KEY} here`)
    const env = { OPENAI_API_KEY: KEY }
    expect(await world.start(['run', '--permissions', 'full', 'Do it.'], { env }).ended).toMatchObject({ code: 0 })
    const said = saidTo(world.server.requests.at(-1)?.request)
    expect(said.split('the key is [secret left out: key of a model provider] here')).toHaveLength(3)
    expect(said).not.toContain(KEY)
  })
})
