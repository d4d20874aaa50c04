import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setUserValue, unsetUserValue } from '../../../src/config/index.ts'
import { parseGatewaySettings, parseServerSettings } from '../../../src/config/tables/program-settings.ts'
import { configFolders } from '../../support/config-folders.ts'

it('a file with aliases of YAML is not changed: another key could change with the one that is set', () => {
  const folders = configFolders()
  const text = 'model: &m openai/gpt-5\npolicy: { summary_model: *m }\n'
  folders.user(text)
  const why = `${folders.userFile} uses an alias (\`*m\`): change it in an editor`
  expect(() => unsetUserValue('model', folders.env)).toThrow(why)
  expect(() => setUserValue('theme', 'dark', folders.env)).toThrow(why)
  expect(readFileSync(folders.userFile, 'utf8')).toBe(text)
})

describe('setting a value', () => {
  it('makes the file, for its owner only', () => {
    const folders = configFolders()
    setUserValue('model', 'ollama/qwen3:8b', folders.env)
    expect(readFileSync(folders.userFile, 'utf8')).toBe('model: ollama/qwen3:8b\n')
    expect(statSync(folders.userFile).mode & 0o077).toBe(0)
    expect(readdirSync(dirname(folders.userFile))).toEqual(['config.yaml'])
  })

  it('keeps comments, order and long lines', () => {
    const folders = configFolders()
    const prompt = 'word '.repeat(60).trim()
    folders.user(
      `# mine\ntheme: dark # at night\n\n# when\npolicy:\n  # often\n  trigger_percent: 50\ncompact_prompt: ${prompt}\n`,
    )
    setUserValue('theme', 'light', folders.env)
    setUserValue('policy.keep_messages', '3', folders.env)
    expect(readFileSync(folders.userFile, 'utf8')).toBe(
      `# mine\ntheme: light # at night\n\n# when\npolicy:\n  # often\n  trigger_percent: 50\n  keep_messages: 3\ncompact_prompt: ${prompt}\n`,
    )
  })

  it('keeps the comments of a file that has nothing else', () => {
    const folders = configFolders()
    folders.user('# model: one day\n')
    setUserValue('theme', 'light', folders.env)
    expect(readFileSync(folders.userFile, 'utf8')).toContain('# model: one day')
    expect(folders.load().settings.theme).toBe('light')
  })

  it('takes each kind of value', () => {
    const folders = configFolders()
    folders.user('policy:\nproviders:\n')
    setUserValue('step_limit', '5', folders.env)
    setUserValue('instructions', 'false', folders.env)
    setUserValue('policy.rungs', '[cold, digest]', folders.env)
    setUserValue('providers.x.api_key', '12345', folders.env)
    setUserValue('hooks.before_compaction.command', './a #1', folders.env)
    setUserValue('hooks.before_compaction.timeout_ms', '900', folders.env)
    expect(folders.load().settings).toMatchObject({
      stepLimit: 5,
      instructions: false,
      policy: { rungs: ['cold', 'digest'] },
      providers: { x: { apiKey: '12345' } },
      hooks: { beforeCompaction: { command: './a #1', timeoutMs: 900 } },
    })
  })

  it('refuses what the file could not say, and writes nothing', () => {
    const folders = configFolders()
    const text = 'theme: dark\npreserve_count: 1\n'
    folders.user(text)
    expect(() => setUserValue('thme', 'dark', folders.env)).toThrow(
      'cannot set thme: unknown key `thme`, did you mean `theme`?',
    )
    expect(() => setUserValue('theme', 'pink', folders.env)).toThrow(
      'cannot set theme: theme: must be dark, light, none or auto',
    )
    expect(() => setUserValue('theme.x', 'pink', folders.env)).toThrow('cannot set theme.x: theme: must be')
    expect(() => setUserValue('policy.keep_messages', '1', folders.env)).toThrow('is set twice')
    expect(readFileSync(folders.userFile, 'utf8')).toBe(text)
  })

  it.each([
    ['server.prot', 'server: unknown key `prot`, did you mean `port`?'],
    ['server.workspaces.site.pth', 'server.workspaces.site: unknown key `pth`, did you mean `path`?'],
    ['gateway.mod', 'gateway: unknown key `mod`, did you mean `mode`?'],
    ['hooks.after_compaction.comand', 'hooks.after_compaction: unknown key `comand`, did you mean `command`?'],
    ['policy.trigger_percnt', 'policy: unknown key `trigger_percnt`, did you mean `trigger_percent`?'],
    ['server.port.x', 'server.port: must be a number, not a table'],
  ])('refuses %s, which is not a setting, at its depth', (key, error) => {
    const folders = configFolders()
    const text = 'theme: dark\n'
    folders.user(text)
    expect(() => setUserValue(key, '1', folders.env)).toThrow(`cannot set ${key}: ${error}`)
    expect(readFileSync(folders.userFile, 'utf8')).toBe(text)
  })

  it('writes the settings of server and gateway as these programs read them', () => {
    const folders = configFolders()
    folders.user('server:\n  port: "7400"\n')
    setUserValue('server.port', '7500', folders.env)
    setUserValue('server.hosts', '[pith.test]', folders.env)
    setUserValue('server.workspaces.site.path', '/site', folders.env)
    setUserValue('server.workspaces.site.permissions', 'full', folders.env)
    setUserValue('gateway.mode', 'observe', folders.env)
    const { server, gateway } = folders.load().settings
    expect(parseServerSettings(server)).toMatchObject({
      port: 7500,
      hosts: ['pith.test'],
      workspaces: { site: { path: '/site', permissions: 'full' } },
    })
    expect(parseGatewaySettings(gateway).mode).toBe('observe')
  })

  it('looks at the key that is set, whatever else is wrong or missing in the table', () => {
    const folders = configFolders()
    folders.user('server:\n  prot: 1\ngateway:\n  mode: nope\n')
    setUserValue('server.port', '7500', folders.env)
    setUserValue('server.workspaces.site.permissions', 'full', folders.env)
    setUserValue('gateway.port', '7501', folders.env)
    expect(() => setUserValue('server.workspaces.site.permissions', 'nope', folders.env)).toThrow(
      'cannot set server.workspaces.site.permissions: server.workspaces.site.permissions: must be',
    )
    expect(() => setUserValue('server.prot', '2', folders.env)).toThrow('cannot set server.prot: server: unknown key')
    expect(() => setUserValue('server', '{ prot: 2 }', folders.env)).toThrow('cannot set server: server: unknown key')
    expect(folders.load().settings).toMatchObject({
      server: { prot: 1, port: 7500, workspaces: { site: { permissions: 'full' } } },
      gateway: { mode: 'nope', port: 7501 },
    })
  })

  it('follows a symbolic link', () => {
    const folders = configFolders()
    folders.user('theme: dark\n')
    const real = join(folders.home, 'dotfiles')
    mkdirSync(real)
    renameSync(folders.userFile, join(real, 'pith.yaml'))
    symlinkSync(join(real, 'pith.yaml'), folders.userFile)
    setUserValue('theme', 'light', folders.env)
    expect(lstatSync(folders.userFile).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(real, 'pith.yaml'), 'utf8')).toBe('theme: light\n')
  })
})

describe('taking a value out', () => {
  it('leaves the rest as it is', () => {
    const folders = configFolders()
    folders.user('# mine\ntheme: dark\npolicy:\n  mode: auto\n  keep_messages: 3 # few\n')
    expect(unsetUserValue('policy.mode', folders.env)).toBe(true)
    expect(unsetUserValue('policy.mode', folders.env)).toBe(false)
    expect(unsetUserValue('model', folders.env)).toBe(false)
    expect(readFileSync(folders.userFile, 'utf8')).toBe('# mine\ntheme: dark\npolicy:\n  keep_messages: 3 # few\n')
  })
  it('repairs a file with keys that do not exist', () => {
    const folders = configFolders()
    folders.user('thme: dark\nserver:\n  prot: 1\n  port: 2\npolicy:\n  mod: auto\n')
    for (const key of ['server.prot', 'policy.mod', 'thme']) expect(unsetUserValue(key, folders.env)).toBe(true)
    expect(unsetUserValue('thm', folders.env)).toBe(false)
    expect(parseServerSettings(folders.load().settings.server).port).toBe(2)
  })
})
