import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pith as run } from '../../../support/cli.ts'
import { configFolders } from '../../../support/config-folders.ts'

/** Folders with agents that only say their version. */
function machine(...agents: string[]) {
  const folders = configFolders()
  const bin = join(folders.home, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const agent of agents) {
    writeFileSync(join(bin, agent), `#!/bin/sh\necho "${agent} 1.2.3"\n`)
    chmodSync(join(bin, agent), 0o755)
  }
  const env = { PATH: [bin, '/bin', '/usr/bin'].join(delimiter) }
  const put = (file: string, text: string) => {
    mkdirSync(dirname(join(folders.home, file)), { recursive: true })
    writeFileSync(join(folders.home, file), text)
  }
  return {
    folders,
    path: env.PATH,
    put,
    text: (file: string) => readFileSync(join(folders.home, file), 'utf8'),
    has: (file: string) => existsSync(join(folders.home, file)),
    pith: (...args: string[]) => run(folders, ['setup', ...args], env),
  }
}

const FILES = {
  claude: '.claude.json',
  codex: '.codex/config.toml',
  opencode: '.config/opencode/opencode.json',
  pi: '.pi/agent/settings.json',
  gemini: '.gemini/extensions/pith/gemini-extension.json',
  copilot: '.copilot/mcp-config.json',
  qwen: '.qwen/settings.json',
}

it('gives the extension of Gemini CLI the version of the package', async () => {
  const { pith, text } = machine('gemini')
  await pith('gemini', '--yes')
  const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'))
  expect(JSON.parse(text(FILES.gemini))).toMatchObject({ name: 'pith', version })
})

it('lets Codex wait for the tools before its first request, also in an entry of an older version', async () => {
  const { pith, text, put } = machine('codex')
  await pith('codex', '--yes')
  const waits = 'startup_readiness = "catalog"\n'
  expect(text(FILES.codex)).toContain(waits)
  put(FILES.codex, `${text(FILES.codex).replace(waits, '')}startup_timeout_sec = 60\n`)
  await pith('codex', '--yes')
  expect(text(FILES.codex)).toContain(waits)
  expect(text(FILES.codex)).toContain('startup_timeout_sec = 60\n')
})

describe('a compaction prompt for Codex that an earlier version wrote in other words', () => {
  /** Codex's file and our record of it as that version left them. */
  async function older() {
    const { put, text, ...rest } = machine('codex')
    put(FILES.codex, 'model = "gpt-5"\n')
    await rest.pith('codex', '--yes')
    const record = join('..', 'pith', 'setup.json')
    const words = (file: string) =>
      text(file).replace('Say what failed and is not fixed', 'Say what failed and is not mended')
    put(FILES.codex, words(FILES.codex))
    put(
      record,
      words(record)
        .replace(/"(?:written|copy)":"[^"]*",?/g, '')
        .replaceAll(',}', '}'),
    )
    return { put, text, ...rest }
  }

  it('is taken back', async () => {
    const { pith, text } = await older()
    expect(text(FILES.codex)).toContain('is not mended')
    expect((await pith()).stdout).toMatch(/codex +Codex +compact_prompt of another installation, MCP/)
    expect((await pith('codex', '--remove', '--yes')).stderr).not.toContain('of your own')
    expect(text(FILES.codex)).toBe('model = "gpt-5"\n')
  })

  it('is replaced by the next setup, and taken back after it', async () => {
    const { pith, text } = await older()
    await pith('codex', '--yes')
    expect(text(FILES.codex)).not.toContain('is not mended')
    expect(text(FILES.codex).match(/^compact_prompt = /gm)).toHaveLength(1)
    await pith('codex', '--remove', '--yes')
    expect(text(FILES.codex)).toBe('model = "gpt-5"\n')
  })

  it('is left alone where the user has changed it', async () => {
    const { pith, put, text } = await older()
    put(FILES.codex, text(FILES.codex).replace('Name every file', 'Name each file'))
    expect((await pith('codex', '--remove', '--yes')).stderr).toContain('a compact_prompt of your own, which stays')
    expect(text(FILES.codex)).toContain('Name each file')
  })
})

describe.each(Object.entries(FILES))('pith setup %s', (agent, file) => {
  it('adds Pith to a new file, says so twice the same, and takes it all back', async () => {
    const { pith, has, text } = machine(agent)
    const added = await pith(agent, '--yes')
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('Pith is on in') })
    expect(added.stdout).toContain(`+++ `)
    const made = text(file)
    expect(made).toMatch(/pith|plugins/)
    expect(await pith(agent, '--yes')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('already'),
    })
    expect(text(file)).toBe(made)
    expect(await pith(agent, '--remove', '--yes')).toMatchObject({ code: 0, stderr: expect.stringContaining('is off') })
    expect(has(file)).toBe(false)
    if (file.includes('/')) expect(has(dirname(file))).toBe(false)
    expect(await pith(agent, '--remove', '--yes')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('nothing of Pith'),
    })
  })
})

/** The server that Pith adds for qwen-code. */
async function serverText(): Promise<string> {
  const { pith, text } = machine('qwen')
  await pith('qwen', '--yes')
  return JSON.stringify(JSON.parse(text(FILES.qwen)).mcpServers.pith)
}

/** An entry of the user's with the name `pith`, in each file that has entries by name. */
const OWN_ENTRIES = {
  claude: '{\n  "mcpServers": { "pith": { "command": "juice", "args": ["--stdio"] } } // mine\n}\n',
  codex: '[mcp_servers.pith] # mine\ncommand = "juice"\n\n[mcp_servers.pith.env]\nA = "1"\n',
  gemini: '{ "name": "pith", "version": "1.0.0" }\n',
  copilot: '{ "mcpServers": { "pith": { "type": "http", "url": "http://localhost:1" } } }',
  qwen: '{ "mcpServers": { "pith": { "command": "npx", "args": ["pith-fruit", "mcp"] } } }\n',
}

/** Files as the user may have them, by the agent. Each is given back as it was. */
const BEFORE: readonly (readonly [what: string, agent: keyof typeof FILES, text: string])[] = [
  ...Object.entries(OWN_ENTRIES).map(
    ([agent, text]) => ['an entry `pith`', agent as keyof typeof FILES, text] as const,
  ),
  ...(['claude', 'opencode', 'pi', 'copilot', 'qwen'] as const).flatMap((agent) => [
    ['comments and Windows lines', agent, '\uFEFF{\r\n\t// mine\r\n\t"a": [1, 2,], /* x */\r\n}'] as const,
    ['an empty file', agent, ''] as const,
  ]),
  ['comments and Windows lines', 'codex', '\uFEFF# mine\r\nmodel = "a"\r\n\r\n[profiles.x]\r\nmodel = "b"'],
  ['an empty file', 'codex', ''],
  ['the server that Pith would add', 'qwen', '{"mcpServers":{"pith":PITH}}'],
  [
    'the server of another installation',
    'qwen',
    '{"mcpServers":{"pith":{"command":"node","args":["/old/cli/main.js","mcp"]}}}',
  ],
]

it.each(BEFORE)(
  '%s in the file of %s is the same after adding and removing, with its mode and its link',
  async (_, agent, text) => {
    const { pith, folders, put } = machine(agent)
    const before = text.includes('PITH') ? text.replace('PITH', await serverText()) : text
    put('dotfiles/mine', before)
    const [real, file] = [join(folders.home, 'dotfiles/mine'), join(folders.home, FILES[agent])]
    chmodSync(real, 0o640)
    mkdirSync(dirname(file), { recursive: true })
    symlinkSync(real, file)
    for (let round = 0; round < 2; round++) {
      expect(await pith(agent, '--yes')).toMatchObject({ code: 0 })
      expect(await pith(agent, '--remove', '--yes')).toMatchObject({ code: 0 })
      expect(readFileSync(file, 'utf8')).toBe(before)
      expect(lstatSync(file).isSymbolicLink()).toBe(true)
      expect(statSync(real).mode & 0o777).toBe(0o640)
    }
    expect(existsSync(join(folders.env.PITH_HOME ?? '', 'setup.json'))).toBe(false)
    expect(existsSync(join(folders.env.PITH_HOME ?? '', 'setup'))).toBe(false)
  },
)

it.each(Object.entries(OWN_ENTRIES))(
  '%s keeps an entry `pith` of the user’s, and Pith says so',
  async (agent, text) => {
    const { pith, put, folders } = machine(agent)
    const file = FILES[agent as keyof typeof FILES]
    put(file, text)
    expect((await pith(agent, '--yes')).stderr).toContain('of your own, which stays')
    expect(readFileSync(join(folders.home, file), 'utf8')).toContain(text.trimEnd())
  },
)

describe('a file that the user has', () => {
  const MINE = '{\n  // mine\n  "theme": "dark",\n  "extensions": ["/a.js"], // and this\n}\n'

  it('keeps its bytes, its rights and a copy', async () => {
    const { pith, put, text, folders } = machine('pi')
    put(FILES.pi, MINE)
    chmodSync(join(folders.home, FILES.pi), 0o600)
    const { stderr } = await pith('pi', '--yes')
    expect(text(FILES.pi)).toMatch(/"extensions": \["\/a.js", ".*plugins\/pi\/index\.[jt]s"\], \/\/ and this/)
    const copy = /as it was: (.*)/.exec(stderr)?.[1] ?? ''
    expect(readFileSync(copy, 'utf8')).toBe(MINE)
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(statSync(join(folders.home, FILES.pi)).mode & 0o777).toBe(0o600)
    await pith('pi', '--remove', '--yes')
    expect(text(FILES.pi)).toBe(MINE)
    expect(existsSync(copy)).toBe(false)
  })

  it('keeps what the user changed between two setups', async () => {
    const { pith, put, text } = machine('qwen')
    put(FILES.qwen, '{ "a": 1 }')
    await pith('qwen', '--yes')
    const moved = text(FILES.qwen)
      .replace('"a": 1', '"a": 2')
      .replace(/"[^"]*main\.[jt]s"/, '"/old/cli/main.js"')
    put(FILES.qwen, moved)
    await pith('qwen', '--yes')
    expect(text(FILES.qwen)).not.toContain('/old/')
    await pith('qwen', '--remove', '--yes')
    expect(text(FILES.qwen)).toBe('{ "a": 2 }')
  })

  it('is shown as a diff and not changed in a dry run', async () => {
    const { pith, put, text } = machine('pi')
    put(FILES.pi, MINE)
    const { code, stdout } = await pith('pi', '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^- {2}"extensions": \["\/a.js"\]/m)
    expect(stdout).toMatch(/^\+ {2}"extensions": \["\/a.js", /m)
    expect(text(FILES.pi)).toBe(MINE)
  })

  it('keeps what the user changed between adding and removing', async () => {
    const { pith, put, text } = machine('codex')
    put(FILES.codex, 'model = "a" # mine\n')
    await pith('codex', '--yes')
    put(FILES.codex, `${text(FILES.codex).replace('"a"', '"b"')}\n[profiles.new]\nmodel = "c"\n`)
    await pith('codex', '--remove', '--yes')
    expect(text(FILES.codex)).toBe('model = "b" # mine\n\n[profiles.new]\nmodel = "c"\n')
  })
})

it.each([
  ['pi', 'extensions', '/home/me/plugins/pi/index.ts'],
  ['opencode', 'plugin', 'file:///home/me/plugins/opencode/index.ts'],
] as const)('%s keeps a plug-in of the user’s with a name like ours', async (agent, list, mine) => {
  const { pith, put, text } = machine(agent)
  const before = JSON.stringify({ [list]: [mine] })
  put(FILES[agent], before)
  await pith(agent, '--yes')
  expect(JSON.parse(text(FILES[agent]))[list]).toEqual([mine, expect.stringContaining(`src/plugins/${agent}/`)])
  await pith(agent, '--remove', '--yes')
  expect(text(FILES[agent])).toBe(before)
})

describe('nothing is changed, and one line says why', () => {
  const one = (ended: { stderr: string; code: number | null }, words: string) => {
    expect(ended.code).not.toBe(0)
    expect(ended.stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(words)])
  }

  it('for an agent that is unknown, not installed, or cannot be run', async () => {
    const { pith, put } = machine()
    one(await pith('emacs', '--yes'), '`emacs` is not an agent that Pith knows: claude, codex')
    one(await pith('pi', '--yes'), '`pi` is not on the PATH: install pi first')
    put('bin/pi', '#!/bin/sh\n')
    one(await pith('pi', '--yes'), 'bin/pi is not executable')
  })

  it('for a broken file', async () => {
    const { pith, put, text } = machine('pi', 'codex')
    put(FILES.pi, '{ "a": }')
    put(FILES.codex, 'a = = 1')
    one(await pith('pi', '--yes'), 'settings.json is no JSON: see line 1')
    one(await pith('codex', '--yes'), 'config.toml is no TOML: see line 1')
    expect(text(FILES.pi)).toBe('{ "a": }')
  })

  it('for a file in another encoding', async () => {
    const { pith, put, folders } = machine('codex')
    put(FILES.codex, '')
    const bytes = Buffer.from('# Müller\n', 'latin1')
    writeFileSync(join(folders.home, FILES.codex), bytes)
    one(await pith('codex', '--yes'), 'config.toml is not written in UTF-8')
    expect(readFileSync(join(folders.home, FILES.codex))).toEqual(bytes)
  })

  it('for a link to nothing, and for a folder instead of the file', async () => {
    const { pith, folders } = machine('pi', 'codex')
    mkdirSync(join(folders.home, '.pi/agent'), { recursive: true })
    symlinkSync(join(folders.home, 'dotfiles/pi.json'), join(folders.home, FILES.pi))
    mkdirSync(join(folders.home, FILES.codex), { recursive: true })
    one(await pith('pi', '--yes'), 'settings.json is a link to a file that is not there')
    one(await pith('codex', '--yes'), 'config.toml')
  })

  it.skipIf(process.getuid?.() === 0)('for a file that cannot be written', async () => {
    const { pith, put, folders } = machine('pi')
    put(FILES.pi, '{}')
    chmodSync(join(folders.home, FILES.pi), 0o444)
    one(await pith('pi', '--yes'), 'cannot be written: allow it (chmod u+w)')
    expect((await pith('pi', '--dry-run')).stdout).toContain('+')
  })

  it('for a place in which no file can be made', async () => {
    const { folders, path, put, text } = machine('pi')
    put('a-file', 'mine')
    const env = { PATH: path, PI_CODING_AGENT_DIR: join(folders.home, 'a-file', 'agent') }
    one(await run(folders, ['setup', 'pi', '--yes'], env), 'settings.json cannot be read')
    expect(text('a-file')).toBe('mine')
  })

  it('without a terminal and without --yes', async () => {
    const { pith, has } = machine('pi')
    one(await pith('pi'), 'there is no terminal to ask on')
    expect(has(FILES.pi)).toBe(false)
  })
})

it('pith setup lists the agents found here, and what is on', async () => {
  const { pith, put } = machine('pi', 'codex', 'gemini')
  await pith('pi', '--yes')
  put(FILES.codex, 'a = = 1')
  const { stdout, stderr } = await pith()
  expect(stdout).toMatch(/^pi +pi +extension$/m)
  expect(stdout).toMatch(/^gemini +Gemini CLI +off$/m)
  expect(stdout).toMatch(/^codex +Codex +.*is no TOML/m)
  expect(stderr).toContain('Not found on the PATH: Claude Code, opencode')
})
