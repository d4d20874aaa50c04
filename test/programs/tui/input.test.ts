import { describe, expect, it } from 'vitest'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY, type Program } from '../../tui/support/program.ts'
import { replies, talk } from '../../tui/support/talk.ts'

const CONTINUE = { open: { kind: 'continue' } } as const

/** A reply that waits until the gate opens; later ones come at once. */
async function waiting() {
  const gate = Promise.withResolvers<void>()
  const made = await ready(async (_, number) => {
    if (number === 1) await gate.promise
    return { text: `Reply ${number}.` }
  })
  const program = start(made.at)
  await program.sees('%')
  await program.send('first')
  await program.sees('Working...')
  return { ...made, gate, program }
}

/** Types a message and leaves it for after the turn. */
async function queue(program: Program, text: string): Promise<void> {
  program.type(text)
  await program.sees(text)
  program.press(KEY.tab)
}

describe('the input', () => {
  it('what is queued while the agent works is shown, and sent in order', async () => {
    const { program, gate, model } = await waiting()
    await queue(program, 'second')
    await program.sees('1. second')
    await queue(program, 'third')
    await program.sees('2. third')
    expect(model.requests).toHaveLength(1)
    gate.resolve()
    await program.sees('Reply 3.')
    const said = model.requests.map(
      ({ request }) => request?.messages.findLast(({ role }) => role === 'user')?.parts[0],
    )
    expect(said).toMatchObject([{ text: 'first' }, { text: 'second' }, { text: 'third' }])
    expect(await program.screen()).not.toContain('Queued')
  })

  it('the arrow takes back what was queued last, to change it', async () => {
    const { program, gate, model } = await waiting()
    await queue(program, 'second')
    await program.sees('1. second')
    program.press(KEY.up)
    await program.seesNot('Queued')
    program.type(' and more')
    await program.sees('second and more')
    program.press(KEY.tab)
    await program.sees('1. second and more')
    gate.resolve()
    await program.sees('Reply 2.')
    expect(JSON.stringify(model.requests[1]?.body)).toContain('second and more')
  })

  it('an interruption puts the queue back into the input', async () => {
    const { program, model } = await waiting()
    await queue(program, 'second')
    await program.sees('1. second')
    program.press(KEY.escape)
    await program.sees('Interrupted...what should the agent do instead?')
    expect(await program.screen()).toMatch(/─\n *second/)
    expect(model.requests.length).toBeLessThanOrEqual(1)
  })

  it('commands that only look are done at once, others wait their turn', async () => {
    const { program, gate } = await waiting()
    await program.send('/cost')
    await program.sees('cost so far')
    await program.send('/undo')
    await program.sees('1. /undo')
    gate.resolve()
    await program.sees('Nothing to undo')
  })

  it('earlier messages come back with the arrow, also those of an earlier run', async () => {
    const { at } = await ready(replies())
    await at.session(talk(2, 5_000, 20))
    const program = start(at, CONTINUE)
    await program.sees('question 2')
    program.press(KEY.up, KEY.up)
    await program.sees(/─\n *question 1/)
  })

  it('@ completes a file of the workspace', async () => {
    const { at, model } = await ready(replies())
    at.file('src/deep/upload-client.ts', '')
    at.file('src/other.ts', '')
    const program = start(at)
    await program.sees('%')
    program.type('look at @upl')
    await program.sees('→ src/deep/upload-client.ts')
    program.press(KEY.tab)
    await program.sees('@src/deep/upload-client.ts')
    program.press(KEY.enter)
    await program.sees('Understood.')
    expect(JSON.stringify(model.requests[0]?.body)).toContain('look at @src/deep/upload-client.ts')
  })

  it('a suggestion is taken with Enter', async () => {
    const { at } = await ready(replies())
    const program = start(at)
    await program.sees('%')
    program.type('/hel')
    await program.sees('List commands and keys')
    program.press(KEY.enter)
    await program.sees('Commands and keys')
  })

  it('Esc twice on an empty input goes back to an earlier message, in a fork', async () => {
    const { at, model } = await ready(replies())
    await at.session(talk(3, 5_000, 20))
    const program = start(at, CONTINUE)
    await program.sees('question 3')
    program.press(KEY.escape, KEY.escape)
    await program.sees('Go back to which message?')
    program.press(KEY.down, KEY.enter)
    await program.sees('This is a fork')
    expect(await program.screen()).toMatch(/─\n *question 2/)
    expect(await program.screen()).not.toContain('answer 2')
    program.type('?')
    program.press(KEY.enter)
    await program.sees('Understood.')
    const sent = JSON.stringify(model.requests[0]?.body)
    expect(sent).toContain('question 1')
    expect(sent).not.toContain('answer 2')
  })

  it('Ctrl+C clears what is typed, the arrow brings it back, and twice on an empty input it quits', async () => {
    const { at } = await ready(replies())
    const program = start(at)
    await program.sees('%')
    program.type('a long thought')
    await program.sees('a long thought')
    program.press(KEY.interrupt)
    await program.seesNot('a long thought')
    program.press(KEY.up)
    await program.sees('a long thought')
    program.press(KEY.interrupt, KEY.interrupt)
    await program.sees('Press Ctrl+C again to quit')
    program.press(KEY.interrupt)
    await program.ended
    expect(program.printed).toEqual([])
  })

  it('what is typed before the session is there is not lost', async () => {
    const { at } = await ready(replies())
    const program = start(at)
    program.type('early bird')
    program.press(KEY.enter)
    await program.sees('Understood.')
    expect(await program.screen()).toContain('› early bird')
  })

  it('a resize draws the screen again, without remains', async () => {
    const { at } = await ready(replies(), { window: 10_000 })
    await at.session(talk(3, 7_200, 100))
    const program = start(at, CONTINUE)
    await program.sees('72.00%')
    program.terminal.resize(50, 20)
    await program.sees(/^pith-test.*72\.00%/m)
    const narrow = await program.screen()
    expect(narrow.match(/72\.00%/g)).toHaveLength(1)
    expect(narrow.match(/^─+$/gm)).toHaveLength(2)
    program.terminal.resize(90, 30)
    await program.sees('type /compact')
    expect((await program.screen()).match(/72\.00%/g)).toHaveLength(1)
  })
})
