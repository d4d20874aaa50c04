import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { registryName, writeMarkets } from '../../scripts/write-markets.mjs'

const MANIFEST = { name: 'pith', version: '9.8.7', description: 'Keeps a conversation.', license: 'MIT' }
const ADDRESS = 'https://git.example.org/ada/pith'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pith-markets-'))
  await writeMarkets(folder, { ...MANIFEST, repository: ADDRESS })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = (path: string) => readFileSync(join(folder, path), 'utf8')
const json = (path: string) => JSON.parse(text(path))

describe('the folder of the markets', () => {
  it('has one address for the repository, and no place that still waits for it', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), 'utf8').includes('HOST/OWNER'), name).toBe(false)
    expect(json('server.json').repository.url).toBe(ADDRESS)
    expect(json('plugins/codex/.codex-plugin/plugin.json').repository).toBe(ADDRESS)
    expect(parse(text('gallery/opencode.yaml')).repo).toBe(ADDRESS)
  })

  it('has a server entry within the limits of the registry: name, lengths, one exact version', () => {
    const server = json('server.json')
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    expect(server.name.length).toBeLessThanOrEqual(200)
    expect(server.description.length).toBeLessThanOrEqual(100)
    expect(server.title.length).toBeLessThanOrEqual(100)
    expect(server.version).toBe('9.8.7')
    expect(server.packages).toMatchObject([
      { registryType: 'npm', identifier: 'pith', version: '9.8.7', transport: { type: 'stdio' } },
    ])
  })

  it.each([
    ['https://github.com/ada/pith', 'io.github.ada/pith'],
    ['https://gitlab.com/ada/pith', 'com.gitlab.ada/pith'],
    [ADDRESS, 'org.example.git.ada/pith'],
  ])('names the server of %s %s', (address, name) => {
    expect(registryName(address)).toBe(name)
  })

  it('has marketplaces whose plug-ins are there, with the version of the package', () => {
    const [claude] = json('.claude-plugin/marketplace.json').plugins
    const [codex] = json('.agents/plugins/marketplace.json').plugins
    expect(json(join(claude.source, '.claude-plugin/plugin.json')).name).toBe(claude.name)
    const manifest = json(join(codex.source.path, '.codex-plugin/plugin.json'))
    expect(manifest).toMatchObject({ name: codex.name, version: '9.8.7' })
    for (const part of [manifest.skills, manifest.mcpServers])
      expect(existsSync(join(folder, codex.source.path, part))).toBe(true)
    expect(json('plugins/codex/.mcp.json').mcpServers.pith).toEqual({ command: 'pith', args: ['mcp'] })
  })

  it('has a skill within the limits of the specification, the same everywhere', () => {
    const skill = text('skills/pith/SKILL.md')
    const [, head = '', body = ''] = skill.split(/^---$/m)
    const { name, description, compatibility } = parse(head)
    expect(name).toBe('pith')
    expect(description.length).toBeLessThanOrEqual(1024)
    expect(compatibility.length).toBeLessThanOrEqual(500)
    expect(body.split('\n').length).toBeLessThan(500)
    for (const plugin of ['claude-code', 'codex']) expect(text(`plugins/${plugin}/skills/pith/SKILL.md`)).toBe(skill)
  })
})
