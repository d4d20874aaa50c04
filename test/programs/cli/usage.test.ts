import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needsScript, pith, pithProcess, shell, typed } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8'))

const WRONG: readonly (readonly [args: readonly string[], line: string])[] = [
  [['confg'], "unknown command 'confg', did you mean config?"],
  [['quux'], "unknown command 'quux'; see pith --help"],
  [['config', 'pth'], "unknown command 'pth', did you mean path?"],
  [['config', '--jsn'], "unknown option '--jsn', did you mean --json?"],
  [['config', 'set', 'theme'], "missing required argument 'value'; see pith config set --help"],
  [['config', '--model'], "option '--model <PROVIDER/MODEL>' argument missing; see pith config --help"],
  [
    ['config', '--reasoning', 'auto'],
    "option '--reasoning <LEVEL>' argument 'auto' is invalid. Allowed choices are off, low, medium, high; see pith config --help",
  ],
  [
    ['config', '--step-limit', 'many'],
    "option '--step-limit <STEPS>' argument 'many' is invalid. Write a whole number from 1 on; see pith config --help",
  ],
  [['--modle', 'x'], "unknown option '--modle', did you mean --model?"],
  ...[
    ['run', 'Do it.'],
    ['compact', 'example'],
    ['handoff', 'example', '--to', 'codex'],
    ['inspect', 'example'],
    ['replay', 'example'],
    ['serve', '--port', '0'],
    ['gateway', '--port', '0'],
  ].map((args) => [[...args, '--model', 'nope'], 'Unknown model `nope`: write provider/model'] as const),
  [['run', '--model', 'nope/x', 'Do it.'], 'unknown provider `nope`: set providers.nope.base_url'],
]

describe('the command line', () => {
  it.each(WRONG)('refuses %j in one line with exit code 2', async (args, line) => {
    expect(await pith(configFolders(), args)).toEqual({ stdout: '', stderr: `pith: ${line}\n`, code: 2 })
  })

  it('ends with 1 if the settings name an unknown model, or the one of the flag has no key', async () => {
    const unknown = await pith(configFolders(), ['run', 'Do it.'], { PITH_MODEL: 'nope' })
    expect(unknown).toMatchObject({ code: 1, stderr: 'pith: Unknown model `nope`: write provider/model\n' })
    const noKey = await pith(configFolders(), ['run', '--model', 'openai/gpt-5', 'Do it.'])
    expect(noKey).toMatchObject({ code: 1, stderr: expect.stringContaining('no key for openai') })
  })

  it('says once that the agent needs a terminal, and what works without one', () => {
    expect(pithProcess(configFolders(), ['--continue'])).toEqual({
      stdout: '',
      stderr: 'pith: this needs a terminal: run it without a pipe, or give the task to pith run\n',
      code: 1,
    })
  })

  it.each([
    ['serve', 'server.port', 7_484],
    ['gateway', 'gateway.port', 7_485],
  ])('names the port that %s listens on without a flag', async (command, key, port) => {
    const { stdout } = await pith(configFolders(), [command, '--help'])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('--port <port> where to listen')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`by default ${key} (${port})`)
  })

  it('ends its process with that exit code', () => {
    const [[args, line] = [[], '']] = WRONG
    expect(pithProcess(configFolders(), args)).toEqual({ stdout: '', stderr: `pith: ${line}\n`, code: 2 })
  })

  it('prints its version', async () => {
    expect(await pith(configFolders(), ['--version'])).toEqual({ stdout: `${version}\n`, stderr: '', code: 0 })
  })

  it('has examples in its help that work as typed', async () => {
    const { stdout, code } = await pith(configFolders(), ['--help'])
    expect(code).toBe(0)
    const examples = [...stdout.matchAll(/^ {2}\$ (.+?)(?: {2,}.*)?$/gm)].map((match) => match[1] ?? '')
    expect(examples.length).toBeGreaterThan(3)
    for (const example of examples) {
      const { code, stderr, stdout } = await typed(configFolders(), example)
      expect({ example, code, stderr }).toEqual({ example, code: 0, stderr: '' })
      expect(stdout, example).not.toBe('')
    }
  })

  it('ends quietly when its reader stops reading', () => {
    const { stdout, stderr } = shell(configFolders(), 'pith config | head -n 1')
    expect(stdout.split('\n')).toHaveLength(2)
    expect(stderr).toBe('')
  })

  it('keeps the exit code of an error whose reader is gone', () => {
    const { stdout } = shell(configFolders(), 'exec 3>&1; { pith config --jsn 2>&1; echo $? >&3; } | true')
    expect(stdout).toBe('2\n')
  })

  it('says in one line that something unexpected happened, and where only when asked', () => {
    const folders = configFolders()
    const gone = 'mkdir gone && cd gone && rmdir ../gone && pith config'
    const plain = shell(folders, gone)
    expect(plain.code).toBe(1)
    expect(plain.stderr).toMatch(/^pith: unexpected error: .* \(PITH_DEBUG=1 shows where\)\n$/)
    expect(shell(folders, gone, { PITH_DEBUG: '1' }).stderr).toContain('    at ')
  })

  it('writes colours to a terminal only, and not there with NO_COLOR', (test) => {
    needsScript(test)
    const folders = configFolders()
    const shown = (env: NodeJS.ProcessEnv) =>
      shell(folders, `script -qec '"$NODE" "$MAIN" config' /dev/null`, { TERM: 'xterm', ...env }).stdout
    expect(shown({})).toContain('\u001b[2m')
    const plain = shown({ NO_COLOR: '1' })
    expect(plain).not.toContain('\u001b[2m')
    expect(plain).toContain('policy.preset')
  })
})
