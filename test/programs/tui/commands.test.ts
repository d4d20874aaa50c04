import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { keepPage, sessionPage } from '../../../src/store/memory-pages.ts'
import { KEYS } from '../../../src/tui/commands/help.ts'
import { COMMANDS } from '../../../src/tui/commands/index.ts'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY, serverConfig } from '../../tui/support/program.ts'
import { answer, replies, talk, userSays } from '../../tui/support/talk.ts'

const CONTINUE = { open: { kind: 'continue' } } as const

/** A session of some length, open in the program. */
async function opened(turns = 8, config: Record<string, unknown> = {}) {
  const made = await ready(replies(), { window: 10_000, ...config })
  const id = await made.at.session(talk(turns, 5_000))
  const program = start(made.at, { ...CONTINUE, rows: 60 })
  await program.sees('50.00%')
  return { ...made, id, program }
}

describe('commands', () => {
  it('/help lists every command and key, and puts the chosen command into the input', async () => {
    const { program } = await opened()
    await program.send('/help')
    const all = COMMANDS.length + KEYS.length
    let screens = await program.sees(`1 of ${all}`)
    for (let at = 11; at < all + 10; at += 10) {
      program.press(KEY.pageDown)
      screens += await program.sees(`${Math.min(at, all)} of ${all}`)
    }
    for (const { name, about } of COMMANDS) expect(screens).toMatch(new RegExp(`/${name} .*${about.slice(0, 20)}`))
    for (const [key] of KEYS) expect(screens).toContain(key)
    program.type('can be resumed')
    await program.sees('› /quit')
    program.press(KEY.enter)
    await program.sees(/^\/quit *$/m)
    program.press(KEY.interrupt)
    await program.send('/help')
    program.type('redact')
    await program.sees('› /redact')
    program.press(KEY.enter)
    await program.sees(/^\/redact *$/m)
    program.type('#1')
    await program.sees(/^\/redact #1 *$/m)
  })

  it.each([
    [80, 24],
    [40, 15],
  ])(
    'at %i×%i, /help and /context keep their heads on the screen, and Ctrl+O shows the rest',
    async (columns, rows) => {
      const { at } = await ready(replies(), { window: 10_000 })
      await at.session(talk(8, 5_000))
      const program = start(at, { ...CONTINUE, columns, rows })
      await program.sees('50.00%')
      await program.send('/help')
      expect(await program.sees('› /compact')).toContain('Commands and keys')
      program.press(KEY.down)
      await program.sees('› /context')
      program.press(KEY.enter)
      await program.sees(/^\/context *$/m)
      program.press(KEY.enter)
      const screen = await program.sees(/… \d+ more lines, Ctrl\+O shows them/)
      expect(screen).toContain('Context  50.00%')
      expect(screen).toMatch(/■ {2}system prompt/)
      expect(screen).not.toContain('Policy')
      program.press(KEY.fold)
      await program.sees('/policy shows all of it')
      expect(program.terminal.broken()).toEqual([])
    },
  )

  it.each([
    [80, 24, /Policy economy[\s\S]*end_of_work_percent +55/],
    [40, 15, /Policy economy[\s\S]*preset +economy/],
  ])(
    'at %i×%i, so do /policy, with the values that the user has set first, and /memory',
    async (columns, rows, policy) => {
      const { at } = await ready(replies(), { window: 10_000, policy: { preset: 'economy', end_of_work_percent: 55 } })
      const id = await at.session(talk(8, 5_000))
      const rules = Array.from({ length: 30 }, (_, i) => `- rule ${i + 1} of the user`)
      keepPage(sessionPage(at.env.PITH_HOME ?? '', id), ['# Memory of the project', ...rules].join('\n'))
      const program = start(at, { ...CONTINUE, columns, rows })
      await program.sees('50.00%')
      for (const [command, head, last] of [
        ['/policy', policy, 'small_window_tokens'],
        ['/memory', /Memory of the project\n +- rule 1 /, 'rule 30'],
      ] as const) {
        await program.send(command)
        expect(await program.sees(head)).toMatch(/… \d+ more lines, Ctrl\+O shows them/)
        program.press(KEY.fold)
        await program.sees(last)
        program.press(KEY.fold)
        await program.seesNot(last)
      }
      expect(program.terminal.broken()).toEqual([])
    },
  )

  it('a command that is typed faster than its list follows is run as it was typed', async () => {
    const { program } = await opened()
    program.type('/')
    await program.sees('Compact conversation context')
    program.type('help')
    program.press(KEY.enter)
    await program.sees('Commands and keys')
    expect(await program.transcript()).not.toContain('/hel/')
  })

  it('an unknown command is reported with the nearest one, a path is a message', async () => {
    const { program } = await opened()
    await program.send('/compcat')
    await program.sees('There is no command /compcat: did you mean /compact?')
    await program.send('/zzz')
    await program.sees('There is no command /zzz: /help lists them')
    await program.send('/etc/hosts looks wrong')
    await program.sees('Understood.')
  })

  it('/context: its parts add up to the number of the status line', async () => {
    const { program } = await opened()
    await program.send('/context')
    const screen = await program.sees('/policy shows all of it')
    const legend = /system[\s\S]*?free/.exec(screen)?.[0] ?? ''
    const sizes = [...legend.matchAll(/^ *\S? *(?:[a-z ]+?) {2,}([\d,]+) {2,}/gm)].map((match) => numberOf(match[1]))
    const reserve = numberOf(/reserve +([\d,]+)/.exec(screen)?.[1])
    expect(screen).toContain('Context  50.00%  5,000 of 10,000 tokens')
    expect(sizes.reduce((sum, size) => sum + size, 0) - reserve).toBe(5_000)
    expect(screen).toMatch(/The next automatic compaction comes at 7,500 tokens, 2,500 from now/)
    expect(screen).toMatch(/Largest\n +\d+ {2}#\d+ (?:user|assistant): /)
  })

  it('/policy says where each value of the policy comes from, and /context when the next compaction comes', async () => {
    const { program } = await opened(8, { policy: { trigger_percent: 60 } })
    await program.send('/policy target_percent 40')
    await program.sees('target_percent is 40 in this session.')
    await program.send('/policy')
    const screen = await program.sees('/policy <preset> or')
    expect(screen).toMatch(/trigger_percent +60 +user file/)
    expect(screen).toMatch(/target_percent +40 +this session/)
    expect(screen).toMatch(/mode +auto +default/)
    await program.send('/context')
    expect(await program.sees('/policy shows all of it')).toContain('comes at 6,000 tokens')
  })

  it('/preview says what would be compacted and its price, and changes nothing', async () => {
    const { program, model } = await opened()
    await program.send('/preview')
    const screen = await program.sees('at most')
    expect(screen).toMatch(/A summary would replace \d+ messages \([\d,]+ of 5,000 tokens\)/)
    expect(screen).toMatch(/It would cost \$\d+\.\d+ at most/)
    expect(await program.status()).toContain('50.00%')
    expect(model.requests).toEqual([])
  })

  it('/summary shows the summary, and edit changes what the model sees', async () => {
    const { program, model } = await opened()
    await program.send('/summary')
    await program.sees('There is no summary')
    await program.send('/compact')
    await program.sees('Context compacted.')
    await program.send('/summary')
    await program.sees('Mend the upload.')
    await program.sees('The record ends here.')
    program.type('my draft')
    program.press(KEY.interrupt)
    await program.send('/summary edit')
    await program.sees('Editing the summary')
    program.type(' And the download.')
    program.press(KEY.enter)
    await program.sees(/The summary of #\d+ was changed/)
    await program.send('go on')
    await program.sees('Understood.')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('And the download.')
  })

  it('Esc leaves a summary that is being edited as it was', async () => {
    const { program } = await opened()
    await program.send('/compact')
    await program.sees('Context compacted.')
    await program.send('/summary edit')
    await program.sees('Editing the summary')
    program.type('nonsense')
    program.press(KEY.escape)
    await program.sees('The summary is as it was.')
    await program.seesNot('nonsense')
  })

  it('/recall finds what was compacted, and a handle gives it back verbatim', async () => {
    const { program } = await opened()
    await program.send('/compact')
    await program.sees('Context compacted.')
    await program.send('/recall question 2')
    await program.sees(/#3 user/)
    await program.send('/recall #3')
    await program.sees(/#3 user/)
    await program.send('/recall zebra')
    await program.sees('Nothing found for zebra')
  })

  it('/recall names an entry that cannot be read', async () => {
    const { at } = await ready(replies(), { window: 10_000 })
    await at.session(talk(8, 5_000))
    const program = start(at, CONTINUE)
    await program.sees('50.00%')
    const database = new DatabaseSync(join(at.env.PITH_HOME ?? '', 'pith.db'))
    database.exec("UPDATE entries SET body = '{' WHERE seq = 4")
    database.close()
    await program.send('/recall #4')
    await program.sees(/#4 damaged\n +It cannot be read \(.*JSON/)
  })

  it('/pin keeps a message through a compaction', async () => {
    const { program, model } = await opened()
    await program.send('/pin #1')
    await program.sees('#1 is pinned.')
    await program.send('/compact')
    await program.sees('Context compacted.')
    await program.send('go on')
    await program.sees('Understood.')
    const body = model.requests.at(-1)?.request?.messages ?? []
    expect(
      body.some((message) => message.parts.some((part) => part.type === 'text' && part.text.startsWith('question 1 '))),
    ).toBe(true)
  })

  it('/leave-out takes a part out of the next request, and /put-back brings it back', async () => {
    const { program, model } = await opened()
    const sent = () => JSON.stringify(model.requests.at(-1)?.request?.messages ?? [])
    await program.send('/leave-out #1-#2')
    await program.sees('#1–#2 left out by the user. The context:')
    await program.sees('Breaks the cache from #1 on')
    await program.send('go on')
    await program.sees('Understood.')
    expect(sent()).toContain('[#1–#2 left out by the user: 2 messages, ')
    expect(sent()).not.toContain('question 1 ')
    await program.send('/put-back #2')
    await program.sees('Put back what')
    await program.send('go on again')
    await program.sees(/go on again[\s\S]*Understood\./)
    expect(sent()).toContain('question 1 ')
    await program.send('/put-back #2')
    await program.sees('#2 is not left out')
    await program.send('/leave-out nonsense')
    await program.sees('is not a handle')
  })

  it('/leave-out without a part lists the largest ones', async () => {
    const { program } = await opened()
    await program.send('/leave-out')
    await program.sees('Leave out which part?')
    program.press(KEY.enter)
    await program.sees('left out by the user. The context:')
    await program.send('/undo')
    await program.sees('Undone: leaving out')
  })

  it('/redact asks first, then the text is gone for good', async () => {
    const { program, at, id } = await opened()
    await program.send('/redact #1')
    await program.sees('Redact #1?')
    program.press(KEY.down, KEY.enter)
    await program.sees('#1 is redacted')
    expect(await program.transcript()).not.toContain('question 1 ')
    await program.quit()
    const store = await at.store()
    const { entries } = await store.entries(id)
    await store.close()
    expect(JSON.stringify(entries)).not.toContain('question 1 ')
  })

  it('/model chooses another model, which the status shows at once', async () => {
    const { program, at, model } = await (async () => {
      const made = await ready(replies())
      made.at.config({
        ...serverConfig(made.model),
        models: [
          { provider: 'test', model: 'pith-test', context_window: 100_000 },
          { provider: 'test', model: 'pith-large', context_window: 1_000_000 },
        ],
      })
      return { ...made, program: start(made.at) }
    })()
    await program.sees('of 100k')
    await program.send('/model')
    await program.sees('type to narrow')
    program.type('pith-large')
    await program.sees('› test/pith-large')
    program.press(KEY.enter)
    await program.sees('of 1M')
    await program.send('hello')
    await program.sees('Understood.')
    expect(model.requests.at(-1)?.request?.model).toBe('pith-large')
    await program.quit()
    const again = start(at, CONTINUE)
    await again.sees('of 1M')
  })

  it('/model says what to set for one that cannot be used', async () => {
    const { program } = await opened()
    await program.send('/model anthropic/claude-sonnet-4-5')
    await program.sees('ANTHROPIC_API_KEY')
    expect(await program.status()).toContain('pith-test')
  })

  it('/new, /sessions, /resume and /rename go from session to session', async () => {
    const { program, id } = await opened()
    await program.send('/rename the upload')
    await program.sees('test/pith-test · the upload')
    await program.send('/new')
    await program.seesNot('question 8')
    await program.send('another matter')
    await program.sees('Understood.')
    await program.seesNot('Working...')
    await program.send('/sessions')
    await program.sees('› ')
    await program.sees('the upload')
    program.press(KEY.enter)
    await program.sees('question 8')
    await program.send('/new')
    await program.seesNot('question 8')
    await program.send(`/resume ${id.slice(0, 8)}`)
    await program.sees('question 8')
  })

  it('/fork continues in a separate session, the other stays', async () => {
    const { program, at, id } = await opened()
    await program.send('/fork #15')
    await program.sees('This is a fork')
    await program.send('in the fork')
    await program.sees('Understood.')
    expect(await program.transcript()).not.toContain('question 8')
    await program.quit()
    const store = await at.store()
    const { entries } = await store.entries(id)
    await store.close()
    expect(JSON.stringify(entries)).toContain('question 8')
    expect(JSON.stringify(entries)).not.toContain('in the fork')
  })

  it('/fork and /rewind name the message that is not there, and fork nothing', async () => {
    const { program } = await opened()
    for (const wrong of ['/fork #999', '/rewind #998', '/fork #0']) {
      await program.send(wrong)
      await program.sees(`This session has no entry ${wrong.split(' ')[1]}`)
    }
    expect(await program.transcript()).not.toContain('This is a fork')
  })

  it('/policy takes the choices of price by their names, and says what they mean', async () => {
    const { program } = await opened()
    await program.send('/policy economy')
    await program.sees('preset is economy in this session.')
    await program.send('/policy')
    expect(await program.sees('/policy <preset> or')).toMatch(
      /Policy economy[\s\S]*trigger_max_tokens +80000 +preset economy/,
    )
    await program.send('/policy trigger_percent 50')
    await program.sees('trigger_percent is 50 in this session.')
    await program.send('/policy')
    expect(await program.sees('/policy <preset> or')).not.toContain('undefined')
  })

  it('/policy shows the policy and sets a preset or a value', async () => {
    const { program } = await opened()
    await program.send('/policy')
    await program.sees('Policy pith')
    await program.send('/policy koda')
    await program.sees('preset is koda in this session.')
    await program.send('/policy trigger_percent 66')
    await program.sees('trigger_percent is 66 in this session.')
    await program.send('/policy triger_percent 1')
    await program.sees('did you mean `trigger_percent`?')
    await program.send('/policy trigger_percent 900')
    await program.sees(/trigger_percent: /)
  })

  it('/permissions changes what is asked', async () => {
    const { program } = await opened()
    await program.send('/permissions full')
    await program.sees('There is no sandbox for commands here')
    await program.sees('a session · full')
    await program.send('/permissions all')
    await program.sees('all is not a mode: ask, auto-edit, full')
  })

  it('/cost adds up calls and compactions', async () => {
    const { program } = await opened()
    await program.send('hello')
    await program.sees('Understood.')
    await program.send('/compact')
    await program.sees('Context compacted.')
    await program.send('/cost')
    const screen = await program.sees('cost so far')
    expect(screen).toMatch(/cost so far +\$\d+\.\d+/)
    expect(screen).toMatch(/model calls +2/)
    expect(screen).toMatch(/compactions made +1 \(\$0\.\d+\)/)
  })

  it('/todo shows what the agent has written down', async () => {
    const todos = [
      { text: 'read the code', status: 'done' },
      { text: 'mend it', status: 'in-progress' },
    ]
    const { at } = await ready((_, number) =>
      number === 1 ? { calls: [{ name: 'todo', input: { todos } }] } : { text: 'Understood.' },
    )
    const program = start(at)
    await program.sees('%')
    await program.send('/todo')
    await program.sees('The to-do list is empty.')
    await program.send('make a plan')
    await program.sees('Understood.')
    await program.send('/todo')
    await program.sees(/☑ read the code\s+▶ mend it/)
  })

  it('/quit leaves and says how to resume', async () => {
    const { program, id } = await opened()
    await program.send('/quit')
    await program.ended
    expect(program.printed).toEqual([`Resume this session: pith --session ${id.slice(0, 8)}`])
    expect(program.terminal.isStarted).toBe(false)
    expect(program.terminal.written.endsWith('\x1b[?25h')).toBe(true)
  })
})

describe('what others did to the session', () => {
  it('a history that no provider would take is repaired, and the repair is shown', async () => {
    const { at } = await ready(replies())
    await at.session([
      userSays('hello'),
      {
        type: 'message',
        message: {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'x', toolName: 'read', output: { type: 'text', value: 'lost' } },
          ],
        },
      },
      answer('there'),
    ])
    const program = start(at, CONTINUE)
    await program.sees('Repaired the history')
    await program.send('go on')
    await program.sees('Understood.')
  })
})

function numberOf(text: string | undefined): number {
  return Number((text ?? '0').replaceAll(',', ''))
}
