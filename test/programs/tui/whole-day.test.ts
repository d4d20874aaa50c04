import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { commandThatWaits } from '../../support/command-that-waits.ts'
import { type Answer, type Fault, type ModelServer, startModelServer } from '../../support/model-server/index.ts'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'
import { home } from '../../tui/support/fixture.ts'
import { type Home, serverConfig } from '../../tui/support/program.ts'
import { realProgram } from '../../tui/support/real-program.ts'
import { hasTmux } from '../../tui/support/tmux.ts'

const MAIN = inject('program')
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='
const DEADLINE_MS = 60_000

/** The model: it makes the planned answers, one a request. Its sub-agents only report, and it refuses every image. */
class DayModel {
  readonly #planned: Answer[] = []
  server: ModelServer | undefined

  async start(): Promise<ModelServer> {
    const summaries = scriptedBrain({ steps: [] })
    this.server = await startModelServer({
      window: 10_000_000,
      brain: (request, number): Answer | Fault | Promise<Answer | Fault> => {
        if (this.body(number).includes('data:image'))
          return { fault: 'http', status: 400, message: 'this model does not support image input' }
        if (request.system.includes('You are a sub-agent')) return { text: 'The watchword is heliotrope.' }
        if (request.tools.length === 0) return summaries(request, number)
        return this.#planned.shift() ?? { text: 'Nothing was planned.' }
      },
    })
    onTestFinished(this.server.close)
    return this.server
  }

  plan(...answers: readonly Answer[]): void {
    this.#planned.push(...answers)
  }

  body(number: number): string {
    return JSON.stringify(this.server?.requests[number - 1]?.body)
  }

  get last(): string {
    return this.body(this.server?.requests.length ?? 0)
  }
}

/** A workspace as people have it: a repository, commands and skills, a picture, an editor, a program for the clipboard. */
function workspace(at: Home): NodeJS.ProcessEnv {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: at.workspace })
  at.file('a.ts', "/* adds */\nexport const add = (a: number, b: number) => a + b\nexport const name = 'old'\n")
  at.file('two words.txt', 'one\ntwo\n')
  at.file('.claude/commands/review.md', '---\ndescription: Review it\n---\nReview $ARGUMENTS with care.\n')
  at.file(
    '.agents/skills/tidy/SKILL.md',
    '---\nname: tidy\ndescription: Tidy up\n---\nRULE-OF-TIDY: sort all imports.\n',
  )
  at.file('bin/edit', '#!/bin/sh\nprintf " and more" >> "$1"\n')
  at.file('bin/wl-paste', `#!/bin/sh\nbase64 -d ${join(at.workspace, 'pixel')}\n`)
  at.file('pixel', PIXEL)
  for (const name of ['edit', 'wl-paste']) chmodSync(join(at.workspace, 'bin', name), 0o755)
  writeFileSync(join(at.workspace, 'shot.png'), Buffer.from(PIXEL, 'base64'))
  git('init', '-q', '-b', 'trunk')
  git('add', '.')
  git('commit', '-qm', 'first')
  return { EDITOR: 'edit', PATH: [join(at.workspace, 'bin'), process.env.PATH].join(delimiter) }
}

/** A day in a terminal of one size: each wait is for a text that is on the screen once, however its lines are broken. */
async function dayAt(columns: number, rows: number) {
  const at = home()
  const model = new DayModel()
  const config = serverConfig(await model.start(), { permissions: 'full', mcp: {} })
  const second = { ...config.models[0], model: 'other', provider: 'test' }
  at.config({ ...config, models: [...config.models.map((each) => ({ ...each, input: ['text', 'image'] })), second] })
  const env = workspace(at)
  // tmux takes its own PATH, whatever the environment says.
  const { terminal } = realProgram(at, { columns, rows, env, before: `PATH=${env.PATH}; ` })
  const sees = async (what: string | RegExp) => {
    const shown = () => flat(terminal.screen())
    await expect
      .poll(shown, { timeout: DEADLINE_MS, interval: 150 })
      .toSatisfy((screen: string) => (typeof what === 'string' ? screen.includes(what) : what.test(screen)), `${what}`)
    return shown()
  }
  return {
    at,
    model,
    terminal,
    sees,
    say: (text: string) => {
      terminal.type(text)
      terminal.press('Enter')
    },
    /** Answers a question. It takes keys only when the user has not typed for a while, so the key may be needed again. */
    answer: async (key: string, question: string) => {
      await sees(question)
      await expect
        .poll(
          () => {
            if (flat(terminal.screen()).includes(question)) terminal.press(key)
            return flat(terminal.screen())
          },
          { timeout: DEADLINE_MS, interval: 1_000 },
        )
        .not.toContain(question)
      // A key that came after the answer is in the input.
      terminal.press('C-u')
    },
    /** Every screen is whole: nothing of a program's output got through, and the permission mode and the number are in view. */
    look: (mode = 'full') => {
      const lines = terminal.screen().trimEnd().split('\n')
      expect(lines.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\ufffd]/)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
      expect(lines.at(-1)).toMatch(new RegExp(`· ${mode}\\b.* \\d+\\.\\d\\d%`))
      // Only where there is room for it does the line say more.
      if (columns >= 80) expect(lines.at(-1)).toMatch(/% [\d.]+k of 100k/)
    },
    /** A command of the shell with this user's settings, as beside the running program. */
    shell: async (command: string) => {
      const own = { ...at.env, ...env, HOME: at.workspace, PITH: `${process.execPath} ${MAIN}` }
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: at.workspace, env: own })
      return stdout
    },
  }
}

type Day = Awaited<ReturnType<typeof dayAt>>

async function startOfDay({ model, say, sees, look }: Day) {
  await sees(/· full .*%/)
  look()
  model.plan({ text: 'Good morning.' })
  say('hello')
  await sees('Good morning.')
  look()
  expect(model.last).toContain(new Date().toISOString().slice(0, 4))
  expect(model.last).toMatch(/trunk/)
}

/** Names in a message: a file with a space in its name is completed, a missing one is named, a refused image stops nothing. */
async function attachments({ model, say, sees, look, terminal }: Day) {
  model.plan({ text: 'I read both words.' })
  terminal.type('read @two')
  await sees('two words.txt')
  terminal.press('Tab')
  await sees('@"two words.txt"')
  say('and @missing.txt')
  await sees('I read both words.')
  expect(flat(terminal.all())).toContain('Nothing is attached for @missing.txt')
  look()
  model.plan({ text: 'I cannot see it.' })
  say('look at @shot.png please')
  await sees('I cannot see it.')
  expect(flat(terminal.all())).toMatch(/gets no images? of #\d+ from now on/)
  look()
  model.plan({ text: 'No picture any more.' })
  say('and without it?')
  await sees('No picture any more.')
  expect(model.last).not.toContain('data:image')
  look()
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ')
}

async function output({ model, say, sees, look }: Day) {
  const bar = 'for i in $(seq 400); do printf "\\r\\033[2Kloading %d of 400" $i; done; echo'
  model.plan(
    calling('bash', { command: `${bar}; for i in $(seq 50); do echo the same line; done` }),
    calling('bash', { command: 'head -c 300000 /dev/urandom' }),
    { text: 'The output is clean.' },
  )
  say('run both')
  await sees('The output is clean.')
  look()
  expect(model.last).toContain('loading 400 of 400')
  expect(model.last).not.toContain('loading 399 of 400')
  expect(model.last.split('the same line').length).toBeLessThan(8)
  expect(model.last).not.toMatch(/\ufffd|\\u001b/)
}

async function background({ at, model, say, sees, look, terminal }: Day) {
  model.plan(calling('bash', { command: `${commandThatWaits('go')}; echo went`, background: true }), {
    text: 'It runs on.',
  })
  say('start the server')
  await sees('It runs on.')
  say('/jobs ')
  await sees(/j\d+ +running/)
  terminal.press('Escape')
  look()
  at.file('go', '')
  await sees(/j\d+ ended: exit code 0/)
  model.plan({ text: 'So it ended.' })
  say('and now?')
  await sees('So it ended.')
  expect(model.last).toMatch(/Background command j\d+ ended: exit code 0/)
  look()
}

async function subAgent({ model, say, sees, look }: Day) {
  model.plan(calling('task', { description: 'Find the watchword', prompt: 'Find it.', tools: 'read' }), {
    text: 'It reported.',
  })
  say('delegate it')
  await sees('It reported.')
  look()
  expect(model.last).toContain('The watchword is heliotrope.')
  say('/recall heliotrope')
  await sees(/task-1#\d+ assistant/)
  look()
}

async function plan({ model, say, sees, look, answer }: Day) {
  model.plan(
    calling('bash', { command: 'touch made' }),
    calling('todo', {
      todos: [
        { text: 'Rename it', status: 'pending' },
        { text: 'Test it', status: 'pending' },
      ],
    }),
    calling('todo', {
      todos: [
        { text: 'Rename it', status: 'done' },
        { text: 'Test it', status: 'in-progress' },
      ],
    }),
    { text: 'One is done.' },
  )
  say('/plan rename the name')
  await sees('The agent plans this. Accept it?')
  look('plan')
  await sees(/1\. Rename it .*2\. Test it/)
  await answer('y', 'y yes: it becomes')
  await sees('One is done.')
  await sees(/☑ Rename it .*▶ Test it/)
  look()
}

async function ownFiles({ model, say, sees, look }: Day) {
  model.plan({ text: 'Reviewed.' })
  say('/review the tests ')
  await sees('Reviewed.')
  await expect.poll(() => model.last).toContain('Review the tests with care.')
  look()
  model.plan({ text: 'Tidied.' })
  say('/tidy everything ')
  await sees('Tidied.')
  expect(model.last).toContain('RULE-OF-TIDY')
  say('/compact ')
  await sees('Context compacted.')
  look()
  model.plan({ text: 'Still tidy.' })
  say('go on')
  await sees('Still tidy.')
  // The skill in use is in the record.
  expect(model.last).toContain('RULE-OF-TIDY')
  expect(model.last).not.toContain('Nothing was planned')
  look()
}

async function ownCommands({ say, sees, look, terminal }: Day) {
  say('!echo $((40 + 2)) of mine')
  await sees('42 of mine')
  look()
  terminal.type('write this')
  await sees('write this')
  terminal.press('C-g')
  await sees('write this and more')
  terminal.press('C-c')
  terminal.press('C-r')
  await sees('Earlier messages')
  terminal.type('40 + 2')
  terminal.press('Enter')
  await sees('!echo $((40 + 2)) of mine')
  terminal.press('C-c')
  terminal.press('C-v')
  await sees('clipboard.png')
  look()
  terminal.press('C-c')
}

async function choices({ say, sees, look }: Day) {
  say('/think high')
  await sees('pith config set reasoning high')
  say('/model test/other')
  await sees('pith config set model test/other')
  look()
  say('/model test/pith-test')
  // It is the one for new sessions, too.
  await sees('The model is test/pith-test now.')
  look()
}

/** A change with its question, its colours, its rewind, and that taken back and made again. */
async function change({ model, say, sees, look, answer, terminal, shell }: Day) {
  say('/permissions ask')
  await sees(/· ask .*%/)
  model.plan(
    calling('read', { path: 'a.ts' }),
    calling('edit', { path: 'a.ts', edits: [{ oldText: "name = 'old'", newText: "name = 'new'" }] }),
    { text: 'It is renamed.' },
  )
  say('rename it')
  await sees(/3 -export const name.* 3 \+export const name/)
  look('ask')
  const colors = terminal.colors()
  expect(colors).toContain('48;5;22')
  expect(colors).toMatch(/\x1b\[[\d;]*38;5;117[\d;]*m *export/)
  await answer('o', '› o once')
  await sees('It is renamed.')
  look('ask')
  expect(await shell('git diff | $PITH run "review this" 2>&1')).toContain('Nothing was planned.')
  expect(model.last).toMatch(/review this.*standard input.*\+export const name = 'new'/)
  say('/rewind ')
  await sees('Go back to which message?')
  terminal.press('Enter')
  await sees('what goes back?')
  terminal.type('only the files')
  await sees('› only the files')
  terminal.press('Enter')
  await sees('file set back.')
  expect(await shell('git diff --stat a.ts')).toBe('')
  say('/undo ')
  await sees('The rewind is taken back')
  expect(await shell('git diff a.ts')).toContain("+export const name = 'new'")
  say('/redo ')
  await expect.poll(() => shell('git diff --stat a.ts'), { timeout: DEADLINE_MS }).toBe('')
  await sees('file set back.')
  look('ask')
}

/** The status line, `pith sessions` and `/cost` show the same. */
async function numbers({ say, sees, look, terminal, shell }: Day, columns: number) {
  say('/cost ')
  const shown = await sees('compactions made')
  look('ask')
  const last = terminal.screen().trimEnd().split('\n').at(-1) ?? ''
  const percent = /\d+\.\d\d%/.exec(last)?.[0] ?? 'none'
  const listed = await shell('$PITH sessions')
  expect(listed).toContain(percent)
  const cost = /cost so far +(\$[\d.]+)/.exec(shown)?.[1] ?? 'none'
  if (columns >= 80) expect(last).toContain(cost)
}

describe.skipIf(!hasTmux)('a day with everything in it, in a real terminal', () => {
  it.each([
    [120, 40],
    [80, 24],
    [40, 15],
  ])('at %i×%i each screen is whole, and each thing does what it says', { timeout: 600_000 }, async (columns, rows) => {
    const day = await dayAt(columns, rows)
    await startOfDay(day)
    await attachments(day)
    await output(day)
    await background(day)
    await subAgent(day)
    await plan(day)
    await ownFiles(day)
    await ownCommands(day)
    await choices(day)
    await change(day)
    await numbers(day, columns)
    expect(day.model.server?.violations).toEqual([])
  })
})
