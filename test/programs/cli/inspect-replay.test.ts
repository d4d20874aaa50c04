import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pith } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/formats')
const claude = join(FIXTURES, 'claude-code-compacted.jsonl')

describe('pith inspect', () => {
  it('shows what fills the window, its past, its files and its cost', async () => {
    const { stdout, code } = await pith(configFolders(), ['inspect', claude])
    expect(code).toBe(0)
    for (const title of ['Context by request', 'Files', 'Cost']) expect(stdout).toContain(`\n${title}\n`)
    expect(stdout).toMatch(/\d+\.\d\d% of [\d,]+ tokens/)
    expect(stdout).toMatch(/not in the log +[\d,]+ +\d+\.\d\d%/)
    expect(stdout).toContain('not in the log: the provider counted it')
    expect(stdout).toContain('▲ 1 compaction')
  })

  it('gives the same as JSON', async () => {
    const look = JSON.parse((await pith(configFolders(), ['inspect', claude, '--json'])).stdout)
    expect(look).toMatchObject({ session: { agent: 'Claude Code', format: 'claude-code' }, compactions: 1 })
    expect(look.parts.reduce((sum: number, part: { tokens: number }) => sum + part.tokens, 0)).toBe(look.status.tokens)
    expect(look.requests.some(({ reduced }: { reduced: boolean }) => reduced)).toBe(true)
  })

  it('measures with the window that is named, and says when none is known', async () => {
    const args = ['inspect', join(FIXTURES, 'ai-sdk.json')]
    expect((await pith(configFolders(), args)).stdout).toContain(
      'the window is not known (set it with --window TOKENS)',
    )
    expect((await pith(configFolders(), [...args, '--window', '8k'])).stdout).toMatch(/\d\.\d\d% of 8,000 tokens/)
  })

  it('takes the window that the file says, and calls a guess one unless a window is named', async () => {
    const { stdout } = await pith(configFolders(), ['inspect', join(FIXTURES, 'codex.jsonl')])
    expect(stdout).toContain('% of 272,000 tokens')
    const guess = 'the window is a guess: Claude Code compacted by itself at 167,000 tokens'
    expect((await pith(configFolders(), ['inspect', claude])).stdout).toContain(guess)
    expect((await pith(configFolders(), ['replay', claude])).stdout.replace(/\s+/g, ' ')).toContain(guess)
    expect((await pith(configFolders(), ['inspect', claude, '--window', '1M'])).stdout).not.toContain(guess)
    expect((await pith(configFolders(), ['inspect', claude])).stdout).toContain('% of 200,000 tokens (assumed)')
    const { windowGuess } = JSON.parse((await pith(configFolders(), ['inspect', claude, '--json'])).stdout)
    expect(windowGuess).toEqual({ from: 'compaction', tokens: 167_000 })
  })

  it('says when a prompt of the file did not reach the log', async () => {
    const folders = configFolders()
    const event = { type: 'event_msg', payload: { type: 'user_message', message: 'And lint, please.' } }
    const text = `${readFileSync(join(FIXTURES, 'codex.jsonl'), 'utf8')}${JSON.stringify(event)}\n`
    writeFileSync(join(folders.workspace, 'lost.jsonl'), text)
    const { stderr } = await pith(folders, ['inspect', 'lost.jsonl'])
    expect(stderr).toMatch(
      /^1 of \d+ typed prompts did not reach the log; the first, in line \d+: And lint, please\.\n$/,
    )
    expect((await pith(folders, ['inspect', join(FIXTURES, 'codex.jsonl')])).stderr).toBe('')
    expect((await pith(folders, ['inspect', join(FIXTURES, 'claude-code.jsonl')])).stdout).toContain(
      '1 prompt taken back',
    )
  })

  it('shows the files of a session from Windows from its folder on', async () => {
    const folders = configFolders()
    const text = readFileSync(join(FIXTURES, 'claude-code.jsonl'), 'utf8')
    const windows = text
      .replaceAll('"cwd":"/repo"', String.raw`"cwd":"C:\\repo"`)
      .replaceAll('/repo/src/server.ts', String.raw`C:\\repo\\src\\server.ts`)
    writeFileSync(join(folders.workspace, 'windows.jsonl'), windows)
    const { stdout } = await pith(folders, ['inspect', 'windows.jsonl'])
    expect(stdout).toMatch(/^ {2}src\/server\.ts$/m)
  })

  it('names the tools that were defined and never used', async () => {
    const tools = ['read', 'search', 'fetch'].map((name) => ({ name, tokens: 90 }))
    const settings = { id: 'e8', seq: 8, at: 1_772_359_200_008, type: 'settings', tools }
    const file = join(configFolders().home, 'session.jsonl')
    writeFileSync(file, `${readFileSync(join(FIXTURES, 'pith.jsonl'), 'utf8')}${JSON.stringify(settings)}\n`)
    const { stdout } = await pith(configFolders(), ['inspect', file])
    expect(stdout).toMatch(/^ +never used: search · fetch$/m)
  })

  it('calls the cost a least one if answers are far longer than the output that the file counts', async () => {
    const folders = configFolders()
    const whole = readFileSync(join(FIXTURES, 'claude-code-compacted.jsonl'), 'utf8')
    const written = (name: string, output: number) => {
      const text = whole.replace(/"output_tokens":\d+/g, `"output_tokens":${output}`)
      writeFileSync(join(folders.workspace, name), text)
      return name
    }
    const costOf = async (name: string) => (await pith(folders, ['inspect', name])).stdout.split('\nCost\n')[1]
    expect(await costOf(written('begun.jsonl', 1))).toMatch(/ ≥ \d+ out {2}≥ \$\d/)
    expect(await costOf(written('counted.jsonl', 400))).toMatch(/k out {2}\$\d/)
  })

  it('has no line that wraps', async () => {
    const { stdout } = await pith(configFolders(), ['inspect', claude])
    expect(stdout.split('\n').filter((line) => [...line].length > 100)).toEqual([])
  })
})

describe('pith replay', () => {
  it('has a row and a chart for every policy, and names the cheapest trigger', async () => {
    const { stdout, stderr, code } = await pith(configFolders(), [
      'replay',
      'example',
      '--window',
      '12k',
      '--policy',
      'pith,koda,none',
    ])
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(rows.find(([name]) => name === 'POLICY')).toEqual([
      'POLICY',
      'COST',
      'SUMMARIES',
      'MEAN',
      'PEAK',
      'FULL',
      'CACHED',
      'BROKEN',
      'EXPIRED',
    ])
    for (const name of ['pith', 'koda', 'none']) expect(rows.find(([first]) => first === name)?.[1]).toMatch(/^\$\d/)
    expect(stdout).toMatch(/none does not fit into the window from request \d+ on/)
    expect(stdout).toMatch(/Cheapest for this session: \d+% \([\d,]+ tokens\), \$\d+\.\d+/)
    // The cheaper ones are below the trigger of every preset, so no setting is offered.
    expect(stdout).toMatch(/^ {2}40% .* too low$/m)
    expect(stdout).not.toContain('pith config set')
  })

  it('gives every request as JSON', async () => {
    const { policies, triggers } = JSON.parse(
      (await pith(configFolders(), ['replay', 'example', '--json', '--policy', 'pith@40'])).stdout,
    )
    expect(policies).toMatchObject([{ name: 'pith@40', totals: { requests: 65 }, cost: expect.any(Number) }])
    expect(policies[0].requests[0]).toMatchObject({
      input: expect.any(Number),
      cacheRead: 0,
      output: expect.any(Number),
    })
    expect(policies[0].requests.some(({ compacted }: { compacted?: object }) => compacted !== undefined)).toBe(true)
    expect(triggers.length).toBeGreaterThan(5)
  })

  it('puts what the agent itself did beside it', async () => {
    const { stdout } = await pith(configFolders(), ['replay', claude])
    expect(stdout).toMatch(/^as recorded +\$\d/m)
    expect(stdout).toMatch(/the input costs .+ what the provider counted$/m)
    expect(stdout).toContain('cache of 5 minutes')
  })

  it('has the cost that the file counts, of all its requests', async () => {
    const { stdout } = await pith(configFolders(), ['replay', join(FIXTURES, 'pi-v3.jsonl')])
    expect(stdout).toContain('the file counts $0.0075: ')
  })

  it('prices all rows with the cache that is chosen', async () => {
    const args = ['replay', claude, '--policy', 'none']
    const costs = ({ asRecorded, policies }: { asRecorded: { cost: number }; policies: { cost: number }[] }) => [
      asRecorded.cost,
      ...policies.map(({ cost }) => cost),
    ]
    const own = costs(JSON.parse((await pith(configFolders(), [...args, '--json'])).stdout))
    const hour = costs(JSON.parse((await pith(configFolders(), [...args, '--cache', '1h', '--json'])).stdout))
    for (const [i, cost] of hour.entries()) expect(cost).toBeGreaterThan(own[i] ?? 0)
    expect((await pith(configFolders(), [...args, '--cache', '1h'])).stdout).toContain('cache of 60 minutes')
    expect((await pith(configFolders(), [...args, '--cache', '2h'])).code).not.toBe(0)
  })

  it('refuses a policy that there is not', async () => {
    const folders = configFolders()
    for (const [policy, line] of [
      ['koada', 'there is no policy koada, did you mean koda?'],
      ['pith@x', 'the trigger is a percentage'],
      [',', 'name at least one policy'],
    ] as const) {
      const ended = await pith(folders, ['replay', 'example', '--policy', policy])
      expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(line) })
    }
  })
})
