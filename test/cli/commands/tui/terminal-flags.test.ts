import { describe, expect, it } from 'vitest'
import { terminalFlags } from '../../../../src/cli/commands/tui/terminal-flags.ts'
import { ready, start } from '../../../tui/support/fixture.ts'
import { KEY } from '../../../tui/support/program.ts'
import { replies, talk } from '../../../tui/support/talk.ts'

describe('flags', () => {
  it('say which session is opened, and which settings hold this once', () => {
    expect(terminalFlags([])).toEqual({ flags: {}, open: { kind: 'new' } })
    expect(terminalFlags(['-c'])).toEqual({ flags: {}, open: { kind: 'continue' } })
    expect(terminalFlags(['--session', '1a2b', '--policy', 'keen', '--no-instructions'])).toEqual({
      flags: { 'policy.preset': 'keen', instructions: 'false' },
      open: { kind: 'id', id: '1a2b' },
    })
    expect(terminalFlags(['--resume', '1a2b'])).toEqual({ flags: {}, open: { kind: 'id', id: '1a2b' } })
    expect(terminalFlags(['--resume'])).toEqual({ flags: {}, open: { kind: 'new' }, first: '/resume' })
  })

  it('a session can be chosen at the start', async () => {
    const { at } = await ready(replies())
    await at.session(talk(2))
    const program = start(at, { first: '/resume' })
    await program.sees(/Sessions {2}type to narrow[\s\S]*› \w+ +a session/)
    program.press(KEY.enter)
    await program.sees('answer 2')
    await program.quit()
    expect(await program.transcript()).not.toContain('Press Ctrl+C again')
  })

  it('the model, the permissions and the policy of the command line win', async () => {
    const { at } = await ready(replies(), { window: 10_000 })
    const flags = { model: 'test/another', permissions: 'full', 'policy.preset': 'keen' } as const
    const program = start(at, { flags, rows: 60 })
    await program.sees('test/another')
    expect(await program.status()).toMatch(/test\/another · full +N\/A/)
    await program.send('/policy')
    await program.sees('Policy keen')
  })

  it('a session that is not there ends in one line', async () => {
    const { at } = await ready(replies())
    const program = start(at, { open: { kind: 'id', id: 'zzz' } })
    await expect(program.ended).rejects.toThrow('session zzz: there is none')
    expect(program.terminal.isStarted).toBe(false)
  })

  it('continue opens the latest session of this workspace, and a new one if there is none', async () => {
    const { at } = await ready(replies())
    const fresh = start(at, { open: { kind: 'continue' } })
    await fresh.sees('%')
    await fresh.quit()
    await at.session(talk(1, 5_000, 20))
    const program = start(at, { open: { kind: 'continue' } })
    await program.sees('answer 1')
  })

  it('what a project sets that is not trusted yet is named', async () => {
    const { at } = await ready(replies())
    at.file('.pith/config.yaml', 'permissions: full\ncheckpoint_mb: 0\n')
    const program = start(at)
    await program.sees('Ignored until you trust this workspace: permissions')
    await program.sees('checkpoint_mb: 0')
    expect(await program.status()).toContain('· ask')
  })
})
