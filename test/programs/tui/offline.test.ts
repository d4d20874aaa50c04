import { describe, expect, it } from 'vitest'
import { EXAMPLE_SESSION, EXAMPLE_WINDOW } from '../../../src/cli/example/example-session.ts'
import { home, start } from '../../tui/support/fixture.ts'
import { KEY } from '../../tui/support/program.ts'
import { talk } from '../../tui/support/talk.ts'

const CONTINUE = { open: { kind: 'continue' } } as const
const NO_PROVIDERS = { model: 'anthropic/claude-sonnet-4-5', theme: 'dark' }
const example = async () => ({
  title: 'Example',
  model: 'example/offline',
  window: EXAMPLE_WINDOW,
  messages: EXAMPLE_SESSION,
})

describe('without a usable model', () => {
  it('it opens, says what to set, and what needs no model works', async () => {
    const at = home()
    at.config(NO_PROVIDERS)
    await at.session(talk(15, undefined, 4_000))
    const program = start(at, CONTINUE)
    await program.sees('of 200k')
    expect(await program.transcript()).toContain('ANTHROPIC_API_KEY')
    await program.send('/compact')
    await program.sees('digest, without a model')
    await program.send('/undo')
    await program.sees('Undone')
    await program.send('/recall question 3')
    await program.sees('#5 user')
    await program.send('/context')
    await program.sees('The next automatic compaction comes at')
    await program.send('hello')
    await program.sees('ANTHROPIC_API_KEY')
  })

  it('a message in the example is answered by why there is no reply, not by what to try a second time', async () => {
    const at = home()
    const program = start(at, { example, rows: 50, columns: 120 })
    await program.sees('Press Tab')
    program.press(KEY.tab)
    await program.sees('type /compact to free up context')
    await program.send('What is left?')
    await program.sees('The example has no model that could answer')
    expect((await program.transcript()).split('An example without a model')).toHaveLength(2)
  })

  it('the first run opens an example with one key, on which everything can be tried offline', async () => {
    const at = home()
    const program = start(at, { example, rows: 50, columns: 100 })
    await program.sees('Press Tab')
    program.press(KEY.tab)
    await program.sees('type /compact to free up context')
    const before = /(\d+\.\d\d)%/.exec(await program.status())?.[1]
    await program.send('/compact')
    await program.sees('✓ Compacted')
    await program.seesNot(`${before}%`)
    await program.send('/context')
    await program.sees('summary of #')
    await program.send('/undo')
    await program.sees(`${before}%`)
    // The handle that README and `pith inspect example` give for the failing test.
    await program.send('/recall #91')
    await program.sees('expected 5 to be less than or equal to 4')
    await program.quit()
    expect(program.printed).toHaveLength(1)
    const again = start(at, { example })
    await again.sees('No model:')
    expect(await again.screen()).not.toContain('Press Tab')
    const resumed = start(at, { ...CONTINUE, example })
    await resumed.sees(`${before}%`)
  })

  it('the invitation to the example holds after a message that could not be answered', async () => {
    const program = start(home(), { example, rows: 50, columns: 120 })
    await program.sees('Press Tab')
    await program.send('hello')
    await program.sees('hello')
    await program.sees('No model')
    program.press(KEY.tab)
    await program.sees('type /compact to free up context')
  })

  it('a session in which nothing was said leaves no trace', async () => {
    const at = home()
    const program = start(at, { example })
    await program.sees('Press Tab')
    await program.quit()
    const store = await at.store()
    const { sessions } = await store.sessions()
    await store.close()
    expect(sessions).toEqual([])
  })

  it('a configuration that is wrong ends in one line, with the terminal as it was', async () => {
    const at = home()
    at.config({ modle: 'x' })
    const program = start(at)
    await expect(program.ended).rejects.toThrow('did you mean `model`?')
    expect(program.terminal.isStarted).toBe(false)
  })
})
