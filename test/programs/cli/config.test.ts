import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pith } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'

describe('pith config', () => {
  it('shows each value and where it comes from, in columns', async () => {
    const folders = configFolders()
    folders.user('theme: dark\nproviders: { x: { api_key: sk-very-secret } }')
    folders.project('policy: { trigger_percent: 60 }')
    const { stdout, stderr, code } = await pith(folders, ['config', '--step-limit', '9'], { PITH_MODEL: 'a/b' })
    const named = 'policy.trigger_percent: 60 (when and how it compacts)'
    expect(stderr).toContain(`Set by ${folders.projectFile}, which you have not trusted: ${named}`)
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    const rows = lines.map((line) => line.split(/ {2,}/))
    expect(rows).toContainEqual(['model', 'a/b', 'environment PITH_MODEL'])
    expect(rows).toContainEqual(['theme', 'dark', `user file ${folders.userFile}`])
    expect(rows).toContainEqual(['policy.trigger_percent', '60', `project file ${folders.projectFile}`])
    expect(rows).toContainEqual(['step_limit', '9', 'flag --step-limit'])
    expect(rows).toContainEqual(['permissions', 'ask', 'default'])
    expect(rows).toContainEqual(['providers.x.api_key', '***', `user file ${folders.userFile}`])
    expect(new Set(lines.map((line, row) => line.lastIndexOf(rows[row]?.[2] ?? '?'))).size).toBe(1)
    expect(stdout).not.toContain('\u001b')
  })

  it('gives the same as JSON', async () => {
    const folders = configFolders()
    folders.project('theme: dark\npermissions: full')
    const { stdout, stderr } = await pith(folders, ['config', '--json'])
    expect(stderr).toBe('')
    const { workspace, files, values, untrusted } = JSON.parse(stdout)
    expect(workspace).toBe(folders.workspace)
    expect(files).toEqual({ user: folders.userFile, project: folders.projectFile })
    expect(values).toContainEqual({ key: 'theme', value: 'dark', source: `project file ${folders.projectFile}` })
    expect(values).toContainEqual({ key: 'permissions', value: 'ask', source: 'default' })
    expect(untrusted).toEqual([{ key: 'permissions', file: folders.projectFile }])
  })

  it('says what is set aside until the workspace is trusted', async () => {
    const folders = configFolders()
    folders.project('permissions: full\nhooks: { after_compaction: { command: ./a } }')
    const before = await pith(folders, ['config'])
    expect(before.stderr).toBe(
      `Ignored until you trust this workspace: permissions, hooks.after_compaction.command (${folders.projectFile}). Read them, then run: pith config trust\n`,
    )
    const trusted = await pith(folders, ['config', 'trust'])
    expect(trusted).toEqual({
      code: 0,
      stderr: '',
      stdout: `Trusted ${folders.projectFile} as it is now\n  permissions: full\n  hooks.after_compaction.command: ./a\n`,
    })
    expect((await pith(folders, ['config', 'get', 'permissions'])).stdout).toBe('full\n')
    expect((await pith(folders, ['config', 'untrust'])).code).toBe(0)
    expect((await pith(folders, ['config', 'get', 'permissions'])).stdout).toBe('ask\n')
  })

  it('shows a project’s text without letting it act on the terminal', async () => {
    const folders = configFolders()
    folders.project('"model": "a/\\e[2Jb\\u202e"')
    const { stdout } = await pith(folders, ['config', 'get', 'model'])
    expect(stdout).toBe('a/\\u001b[2Jb\\u202e\n')
    folders.project('"mod\\el": a')
    expect((await pith(folders, ['config'])).stderr).toContain('unknown key `mod\\u001bl`, did you mean `model`?')
  })

  it('gets, sets and unsets one value', async () => {
    const folders = configFolders()
    expect(await pith(folders, ['config', 'get', 'model'])).toEqual({
      stdout: '',
      stderr: 'pith: model is not set\n',
      code: 1,
    })
    expect((await pith(folders, ['config', 'set', 'model', 'ollama/qwen3:8b'])).code).toBe(0)
    expect((await pith(folders, ['config', 'get', 'model'])).stdout).toBe('ollama/qwen3:8b\n')
    expect((await pith(folders, ['config', 'set', 'preserve_count', '0'])).code).toBe(0)
    expect((await pith(folders, ['config', 'get', 'preserve_count'])).stdout).toBe('0\n')
    expect((await pith(folders, ['config', 'get', 'policy.keep_messages'])).stdout).toBe('0\n')
    expect((await pith(folders, ['config', 'unset', 'model'])).code).toBe(0)
    expect((await pith(folders, ['config', 'get', 'model'])).code).toBe(1)
  })

  it('says of a model that nothing knows what it may be, and sets it', async () => {
    const folders = configFolders()
    expect(await pith(folders, ['config', 'set', 'model', 'gpt'])).toMatchObject({
      stderr: expect.stringMatching(/^Unknown model `gpt`: did you mean `gpt-\d/),
      code: 0,
    })
    expect((await pith(folders, ['config', 'get', 'model'])).stdout).toBe('gpt\n')
  })

  it('says of a value that is not set if a project sets it that is not trusted', async () => {
    const folders = configFolders()
    folders.project('providers: { x: { base_url: "http://127.0.0.1:9/v1" } }')
    for (const key of ['providers', 'providers.x.base_url']) {
      const { stderr, code } = await pith(folders, ['config', 'get', key])
      const why = 'the project file sets it, but is not trusted (pith config trust)'
      expect([stderr, code]).toEqual([`pith: ${key} is not set: ${why}\n`, 1])
    }
  })

  it('refuses a setting that does not exist, and takes one out of a file that has it', async () => {
    const folders = configFolders()
    expect(await pith(folders, ['config', 'set', 'server.prot', '1'])).toEqual({
      stdout: '',
      stderr: 'pith: cannot set server.prot: server: unknown key `prot`, did you mean `port`?\n',
      code: 1,
    })
    expect(existsSync(folders.userFile)).toBe(false)
    folders.user('thme: dark\n')
    expect((await pith(folders, ['config', 'unset', 'thme'])).code).toBe(0)
    expect((await pith(folders, ['config'])).code).toBe(0)
  })

  it('never prints a secret that it sets', async () => {
    const folders = configFolders()
    const set = await pith(folders, ['config', 'set', 'providers.x.api_key', 'sk-very-secret'])
    const get = await pith(folders, ['config', 'get', 'providers'])
    expect(get.stdout).toBe('***\n')
    expect(JSON.stringify([set, get])).not.toContain('sk-very-secret')
    expect(readFileSync(folders.userFile, 'utf8')).toContain('sk-very-secret')
  })

  it('says when something wins over the value that was set', async () => {
    const folders = configFolders()
    const { stderr } = await pith(folders, ['config', 'set', 'theme', 'dark'], { PITH_THEME: 'light' })
    expect(stderr).toContain('theme still comes from environment PITH_THEME')
  })

  it('refuses a wrong file in one line', async () => {
    const folders = configFolders()
    folders.user('theme: dark\nmodle: a/b')
    expect(await pith(folders, ['config'])).toEqual({
      stdout: '',
      stderr: `pith: ${folders.userFile}:2: unknown key \`modle\`, did you mean \`model\`?\n`,
      code: 1,
    })
  })

  it('names the files even when one is wrong', async () => {
    const folders = configFolders()
    folders.user('[')
    const { stdout } = await pith(folders, ['config', 'path'])
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['user', folders.userFile],
      ['project', folders.projectFile, '(not there)'],
      [''],
    ])
  })

  it('finds the user file where the platform keeps it, without PITH_HOME', async (test) => {
    if (process.platform !== 'linux') return test.skip('this is about Linux folders')
    const folders = configFolders()
    const xdg = join(folders.home, 'xdg')
    await pith(folders, ['config', 'set', 'theme', 'dark'], { PITH_HOME: '', XDG_CONFIG_HOME: xdg })
    expect(readFileSync(join(xdg, 'pith', 'config.yaml'), 'utf8')).toBe('theme: dark\n')
    await pith(folders, ['config', 'set', 'theme', 'light'], { PITH_HOME: '' })
    expect(readFileSync(join(folders.home, '.config', 'pith', 'config.yaml'), 'utf8')).toBe('theme: light\n')
    folders.project('permissions: full')
    await pith(folders, ['config', 'trust'], { PITH_HOME: '' })
    expect(existsSync(join(folders.home, '.local', 'share', 'pith', 'trusted.json'))).toBe(true)
  })

  it('says in one line that a file cannot be written', async () => {
    const folders = configFolders()
    mkdirSync(folders.home, { recursive: true })
    const file = join(folders.home, 'file')
    writeFileSync(file, '')
    const { stderr, code } = await pith(folders, ['config', 'set', 'theme', 'dark'], { PITH_HOME: join(file, 'pith') })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^pith: .*config\.yaml cannot be written \(.*\): check the permissions of its folder\n$/)
  })
})
