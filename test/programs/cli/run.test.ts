import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { groupIsAlive } from '../../../src/agent/processes/process-table.ts'
import { openSandbox } from '../../../src/agent/sandbox/sandbox.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { pith } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'
import { type RunWorld, runWorld } from '../../support/run-world.ts'
import { calling, longText, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

const file = ({ workspace }: RunWorld, name: string) => join(workspace, name)
const lastRequest = ({ server }: RunWorld) => server.requests.at(-1)?.request

const hasSandbox = (await openSandbox('on', realpathSync(tmpdir()), process.env)) !== undefined

describe('pith run', () => {
  it('prints what the model says, and beside it what it does', async () => {
    const steps = [
      { text: 'I look.', calls: [{ name: 'grep', input: { pattern: 'TODO', path: '.' } }] },
      calling('read', { path: 'no.txt' }),
    ]
    const world = await runWorld({ brain: scriptedBrain({ steps }) })
    const { stdout, stderr, code } = await world.here('run', 'Do', 'it.')
    expect({ stdout, code }).toEqual({ stdout: 'I look.\nDone.\n', code: 0 })
    expect(stderr.split('\n')).toEqual([
      '● grep TODO in .',
      '● read no.txt',
      expect.stringMatching(/^ {2}✗ .*no\.txt/),
      expect.stringMatching(/^✓ 3 steps · context \d\.\d\d% · \$0\.\d{2,4}$/),
      '',
    ])
    expect(saidTo(world.server.requests[0]?.request)).toBe('Do it.')
  })

  it.skipIf(!hasSandbox)(
    'hides secrets and its own data from commands, and leaves no private caches behind',
    async () => {
      const command = 'cat ~/.ssh/id "$PITH_HOME"/pith.db; touch ~/.cache/made; ls ~/.cache'
      const world = await runWorld({ brain: scriptedBrain({ steps: [calling('bash', { command })] }) })
      for (const name of ['.ssh', '.cache']) mkdirSync(join(world.home, name), { recursive: true })
      writeFileSync(join(world.home, '.ssh/id'), 'the-secret-text')
      const { code } = await world.pith('run', '--sandbox', 'on', '--permissions', 'full', 'Do it.')
      const said = saidTo(lastRequest(world))
      expect([code, said.includes('the-secret-text'), said.includes('SQLite format')]).toEqual([0, false, false])
      expect(said).toContain('.ssh/id: ')
      expect(said).toContain('made')
      expect(existsSync(join(world.home, '.cache/made'))).toBe(false)
      expect(readdirSync(join(world.env.PITH_HOME ?? '', 'sandbox'))).toEqual([])
    },
  )

  it('names its session after the prompt', async () => {
    const world = await runWorld({ brain: scriptedBrain({ steps: [] }) })
    await world.here('run', 'Mend the\tupload.\nPlease.')
    const store = await openStore(join(world.env.PITH_HOME ?? '', 'pith.db'))
    const { sessions } = await store.sessions()
    await store.close()
    expect(sessions.map(({ title }) => title)).toEqual(['Mend the upload.'])
  })

  it('names its session after the first prompt that is not a greeting; until then the list shows the greeting', async () => {
    const world = await runWorld({ brain: scriptedBrain({ steps: [] }) })
    const titles = async () => {
      const sessions: { title?: string }[] = JSON.parse((await world.here('sessions', '--json')).stdout)
      return sessions.map(({ title }) => title)
    }
    await world.here('run', 'hello')
    expect(await titles()).toEqual(['hello'])
    for (const prompt of ['thanks', 'Mend the upload.', 'Test it.']) await world.here('run', '--continue', prompt)
    expect(await titles()).toEqual(['Mend the upload.'])
  })

  it('leaves no session when it has no model to begin with', async () => {
    const world = await runWorld({ brain: scriptedBrain({ steps: [] }) })
    expect(await world.here('run', '--model', 'openai/gpt-5', 'Do it.')).toMatchObject({ code: 1 })
    const store = await openStore(join(world.env.PITH_HOME ?? '', 'pith.db'))
    const { sessions } = await store.sessions()
    await store.close()
    expect(sessions).toEqual([])
  })

  it.each(['--session', '--continue'])('keeps an empty session found by %s when it cannot begin', async (flag) => {
    const world = await runWorld({ brain: scriptedBrain({ steps: [] }) })
    const store = await openStore(join(world.env.PITH_HOME ?? '', 'pith.db'))
    const { id } = await store.createSession({ owner: 'local', workspace: world.workspace, title: 'For later' })
    const found = flag === '--session' ? [flag, id] : [flag]
    expect(await world.here('run', '--model', 'openai/gpt-5', ...found, 'Do it.')).toMatchObject({ code: 1 })
    const { sessions } = await store.sessions()
    await store.close()
    expect(sessions).toMatchObject([{ id, title: 'For later' }])
  })

  it('reads the prompt from standard input, and prints text and notes in their order if both go to one place', async () => {
    const steps = [1, 2, 3].map((n) => ({ text: `Step ${n}.`, calls: [{ name: 'ls', input: { path: '.' } }] }))
    const world = await runWorld({ brain: scriptedBrain({ steps }) })
    const { stdout } = await world.start(['run'], { together: true, input: 'Typed\nbefore.\n' }).ended
    expect(saidTo(world.server.requests[0]?.request)).toBe('Typed\nbefore.')
    expect(stdout.split('\n').slice(0, 7)).toEqual([
      'Step 1.',
      '● ls .',
      'Step 2.',
      '● ls .',
      'Step 3.',
      '● ls .',
      'Done.',
    ])
  })

  it('prints events as JSON lines; the first names the session, which can be continued', async () => {
    const world = await runWorld({ brain: scriptedBrain({ steps: [calling('ls', {})] }) })
    const { stdout, stderr, code } = await world.here('run', '--json', 'Do it.')
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(events[0]).toEqual({ type: 'session', session: expect.any(String), workspace: world.workspace })
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'turn-started',
        'step-started',
        'tool-started',
        'tool-finished',
        'text',
        'status',
        'entry',
      ]),
    )
    expect(events.at(-2)).toMatchObject({ type: 'turn-ended', end: { reason: 'done', answer: 'Done.', steps: 2 } })
    await world.here('run', 'Something else.')
    await world.here('run', '--session', events[0].session.slice(0, 8), 'Go on.')
    expect(saidTo(lastRequest(world))).toMatch(/^Do it\.\n.*Go on\.$/s)
    expect(saidTo(lastRequest(world))).not.toContain('Something else.')
  })

  it('reads the prompt from standard input if it is a dash', async () => {
    const world = await runWorld({ brain: scriptedBrain({ steps: [] }) })
    const { code } = await world.start(['run', '-'], { input: 'Typed\nbefore.\n' }).ended
    expect(code).toBe(0)
    expect(saidTo(lastRequest(world))).toBe('Typed\nbefore.')
  })

  it('continues the last session of the workspace, and with its model', async () => {
    const world = await runWorld({ brain: scriptedBrain({ steps: [] }) })
    await world.here('run', '--model', 'local/small', 'First.')
    expect(lastRequest(world)?.model).toBe('small')
    expect((await world.here('run', '-c', 'Second.')).code).toBe(0)
    expect(lastRequest(world)?.model).toBe('small')
    expect(saidTo(lastRequest(world))).toBe('First.\nDone.\nSecond.')
    const { stderr, code } = await world.here('run', '--continue')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Nothing to continue: say what') })
  })

  it('does not continue a session in another folder, unless as a fork that works there', async () => {
    const world = await runWorld({ brain: scriptedBrain({ steps: [] }) })
    const { stdout } = await world.here('run', '--json', 'First.')
    const { session } = JSON.parse(stdout.split('\n')[0] ?? '')
    const folder = join(world.home, 'other')
    mkdirSync(join(folder, '.git'), { recursive: true })
    const other = { ...world, workspace: folder }
    const asked = world.server.requests.length
    expect(await pith(other, ['run', '--session', session, 'Second.'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `pith: this session works in ${world.workspace}: run this there, or add --fork to continue in a fork that works here\n`,
    })
    expect(world.server.requests.length).toBe(asked)
    const forked = await pith(other, ['run', '--json', '--session', session, '--fork', 'Second.'])
    expect(forked.code).toBe(0)
    const first = JSON.parse(forked.stdout.split('\n')[0] ?? '')
    expect(first).toMatchObject({ type: 'session', workspace: folder })
    expect(first.session).not.toBe(session)
    expect(saidTo(lastRequest(world))).toBe('First.\nDone.\nSecond.')
    rmSync(world.workspace, { recursive: true })
    expect((await pith(other, ['run', '--session', session, 'Third.'])).stderr).toContain(
      'which does not exist here: add --fork',
    )
    expect((await pith(other, ['run', '--fork', 'Third.'])).stderr).toBe('pith: --fork needs --session ID\n')
  })

  it('compacts with the old model before it continues with a smaller one', async () => {
    const steps = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 6_000) }))
    const world = await runWorld({
      brain: scriptedBrain({ steps }),
      config: 'policy: { rungs: [cold, digest, squeeze] }',
    })
    await world.here('run', 'First.')
    for (const prompt of ['Second.', 'Third.']) await world.here('run', '-c', prompt)
    const { stderr, code } = await world.here('run', '-c', '--model', 'local/small', 'Fourth.')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/⚡ Compacting…\n✓ Compacted \d+ messages\n/),
    })
    expect(world.server.requests.slice(-2).map(({ request }) => request?.model)).toEqual(['main', 'small'])
    expect(world.server.violations).toEqual([])
  })

  it('says once that a prompt is larger than the window', async () => {
    const world = await runWorld({ brain: scriptedBrain({ steps: [{ text: 'Read.' }] }) })
    const { stderr, code } = await world.here('run', '--model', 'local/small', longText('typed', 20_000))
    expect(code).toBe(0)
    expect(
      stderr.match(/The new messages do not all fit the window: [\d,]+ tokens of #\d+ were left out/g),
    ).toHaveLength(1)
  })

  it('does what the permissions allow', async () => {
    const brain = () => scriptedBrain({ steps: [calling('bash', { command: 'touch made.txt' })] })
    const asks = await runWorld({ brain: brain() })
    const { stderr, code } = await asks.here('run', 'Do it.')
    expect(code).toBe(3)
    expect(stderr).toContain('✗ Not allowed, and nobody is there to ask')
    expect(existsSync(file(asks, 'made.txt'))).toBe(false)
    const full = await runWorld({ brain: brain() })
    await full.here('run', '--permissions', 'full', 'Do it.')
    expect(existsSync(file(full, 'made.txt'))).toBe(true)
  })

  it('prints an answer that broke off and was asked for again only once', async () => {
    const world = await runWorld({
      brain: scriptedBrain({ steps: [{ text: longText('said', 100) }, { text: longText('said', 100) }] }),
      faults: [{ at: 1, fault: { fault: 'reset-in-stream' } }],
    })
    const { stdout, stderr, code } = await world.here('run', 'Do it.')
    expect({ stdout, code }).toEqual({ stdout: `${longText('said', 100)}\n`, code: 0 })
    expect(stderr).toMatch(/^↻ .*: asking again\n/)
  })

  it('ends with exit code 1 and one line when the provider refuses', async () => {
    const world = await runWorld({ brain: () => ({ text: 'never' }), apiKey: 'another' })
    const { stdout, stderr, code } = await world.here('run', 'Do it.')
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 })
    expect(stderr).toMatch(/^✗ .*key.* · 1 step · context \d+\.\d\d% · \$0\.00\n$/)
    expect(stderr).not.toContain('test-key')
  })

  it.each([
    [['run', '--session', 'nope', 'x'], 2, 'pith: there is no session nope: pith sessions lists them\n'],
    [['run', '--continue', 'x'], 2, expect.stringMatching(/^pith: there is no session in .* to continue\n$/)],
    [['run', '--modle', 'x'], 2, "pith: unknown option '--modle', did you mean --model?\n"],
    [
      ['run', '--model', 'local/none', '--permissions', 'all', 'x'],
      2,
      expect.stringMatching(/^pith: .*permissions.*\n$/),
    ],
    [['run', ' '], 2, 'pith: the prompt is empty\n'],
    [
      ['run', '--max-cost', 'much', 'x'],
      2,
      expect.stringMatching(/^pith: .*'much' is invalid\. Write dollars, such as 0\.50; .*\n$/),
    ],
    [
      ['run', '--max-time', '5 days', 'x'],
      2,
      expect.stringMatching(/^pith: .*'5 days' is invalid\. Write a time.*\n$/),
    ],
    [
      ['run', '--max-steps', '1.5', 'x'],
      2,
      expect.stringMatching(/^pith: .*'1\.5' is invalid\. Write a whole number.*\n$/),
    ],
  ])('refuses %j in one line', async (args, code, stderr) => {
    const world = await runWorld({ brain: scriptedBrain({ steps: [] }) })
    expect(await world.here(...args)).toMatchObject({ stdout: '', code, stderr })
  })

  it('says exactly what to set when there is no model', async () => {
    const { stdout, stderr, code } = await pith(configFolders(), ['run', 'Do it.'])
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 })
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).toContain('ANTHROPIC_API_KEY')
  })
})

describe('a run that is interrupted', () => {
  // The output of the command is not in its text, which is printed too.
  const command = 'echo $$ > group.txt; echo once >> log.txt; echo "be""gun"; sleep 100'
  const steps = [calling('ls', {}), calling('bash', { command })]

  it('by Ctrl+C kills its command, keeps what was done and can be continued', async () => {
    const world = await runWorld({ brain: scriptedBrain({ steps }) })
    const run = world.start(['run', '--json', '--permissions', 'full', 'Do it.'])
    await run.printed('begun')
    run.child.kill('SIGINT')
    const { code, stdout } = await run.ended
    expect(code).toBe(130)
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ reason: 'aborted', exitCode: 130 })
    expect(groupIsAlive(Number(readFileSync(file(world, 'group.txt'), 'utf8')))).toBe(false)
    expect(await world.here('run', '-c', 'Go on.')).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(saidTo(lastRequest(world))).toContain('aborted by the user')
    expect(world.server.violations).toEqual([])
  })

  it('by a reader that is gone stops in order too', async () => {
    const talks = 'echo $$ > group.txt; while :; do echo "be""gun"; sleep 0.05; done'
    const world = await runWorld({ brain: scriptedBrain({ steps: [calling('bash', { command: talks })] }) })
    const run = world.start(['run', '--json', '--permissions', 'full', 'Do it.'])
    await run.printed('begun')
    run.child.stdout?.destroy()
    expect(await run.ended).toMatchObject({ stderr: '', code: 130 })
    expect(groupIsAlive(Number(readFileSync(file(world, 'group.txt'), 'utf8')))).toBe(false)
    expect(await world.here('run', '-c', 'Go on.')).toMatchObject({ code: 0, stdout: 'Done.\n' })
  })

  it('by SIGKILL continues from what was stored: no command runs twice, and the model knows why', async () => {
    const world = await runWorld({ brain: scriptedBrain({ steps }) })
    const run = world.start(['run', '--json', '--permissions', 'full', 'Do it.'])
    await run.printed('begun')
    run.child.kill('SIGKILL')
    expect(await run.ended).toMatchObject({ signal: 'SIGKILL' })
    // Nobody is left to end it: what a command started is its own.
    process.kill(-Number(readFileSync(file(world, 'group.txt'), 'utf8')), 'SIGKILL')
    expect(await world.here('run', '--continue')).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(world.server.requests).toHaveLength(3)
    const said = saidTo(lastRequest(world))
    expect(said.match(/"command"/g)).toHaveLength(1)
    expect(said).toContain('the program ended before its result was known')
    expect(readFileSync(file(world, 'log.txt'), 'utf8')).toBe('once\n')
    expect(world.server.violations).toEqual([])
  })

  it('by SIGKILL during a compaction does not hold up the next one', async () => {
    const texts = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 3_000) }))
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    let times = 0
    const summary = () => {
      resolve()
      return ++times === 1 ? ({ fault: 'silence' } as const) : { text: 'A summary.' }
    }
    const world = await runWorld({
      brain: scriptedBrain({ steps: texts, summary }),
      config: 'policy: { model_auto_compact_token_limit: 11000, rungs: [cold] }',
    })
    await world.here('run', 'First.')
    for (const prompt of ['Second.', 'Third.']) await world.here('run', '-c', prompt)
    const run = world.start(['run', '-c', 'Fourth.'])
    await asked
    run.child.kill('SIGKILL')
    await run.ended
    const { stderr, code } = await world.here('run', '-c')
    expect(code).toBe(0)
    expect(stderr).toMatch(/⚡ Compacting…\n✓ Compacted \d+ messages\n/)
  })

  it('is not kept alive by a summary that is still being prepared when it ends', async () => {
    const work = Array.from({ length: 10 }, (_, n) => calling('bash', { command: `seq -f 'step-${n} %g' 1 500` }))
    const world = await runWorld({
      brain: scriptedBrain({ steps: work, summary: { fault: 'silence' } }),
      config: 'policy: { model_auto_compact_token_limit: 20000, prepare_percent: 60, rungs: [cold] }',
    })
    const { code, stderr } = await world.here('run', '--permissions', 'full', 'Do it.')
    expect(code).toBe(0)
    expect(world.server.requests.filter(({ summarising }) => summarising)).toHaveLength(1)
    expect(stderr).toContain('A prepared summary was not used: the run has ended')
  })
})

describe('a project that the user has not trusted', () => {
  it('changes what is kept only with a line that says so', async () => {
    const world = await runWorld({ brain: scriptedBrain({ steps: [{ text: 'Done.' }, { text: 'Done.' }] }) })
    mkdirSync(join(world.workspace, '.pith'), { recursive: true })
    writeFileSync(world.projectFile, 'checkpoint_mb: 0\npolicy: { mode: "off" }')
    const { stderr } = await world.here('run', 'First.')
    expect(stderr).toContain(
      `Set by ${world.projectFile}, which you have not trusted: policy.mode: off (nothing is compacted automatically), checkpoint_mb: 0 (/rewind cannot put files back)`,
    )
    await world.here('config', 'trust')
    expect((await world.here('run', 'Second.')).stderr).not.toContain('Set by')
  })

  it('runs no hooks', async () => {
    const texts = ['one', 'two', 'three'].map((mark) => ({ text: longText(mark, 3_000) }))
    const world = await runWorld({
      brain: scriptedBrain({ steps: texts }),
      config: 'policy: { model_auto_compact_token_limit: 8000 }',
    })
    mkdirSync(join(world.workspace, '.pith'), { recursive: true })
    writeFileSync(world.projectFile, 'hooks: { before_compaction: { command: touch hooked.txt } }')
    const { stderr } = await world.here('run', 'First.')
    expect(stderr).toContain('Ignored until you trust this workspace: hooks.before_compaction')
    await world.here('run', '-c', 'Second.')
    expect((await world.here('run', '-c', 'Third.')).stderr).toContain('⚡ Compacting…')
    expect(existsSync(file(world, 'hooked.txt'))).toBe(false)
  })
})
