import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenLinks } from '../support/broken-links.ts'
import { docBlocks } from './doc-blocks.ts'
import { manifest, npm, offline, type Packed, pack } from './packed.ts'

/** The oldest that users may have, and the newer ones. */
const VERSIONS = ['22.19', '24', '26']
/** The library, the program with all that it uses, and the web inspector. It was 65 MB in 45 packages in 0.1. */
const MOST_MEGABYTES = 9.5
const why = offline()
if (why !== undefined) console.warn(`npm's registry cannot be reached, so nothing can be installed: ${why}`)

/** Opens a store twice, lets another process read and close it, stores twenty messages and is killed. */
const KEPT = `import { execFileSync } from 'node:child_process'
import { openStore } from 'pith/store'
const first = await openStore('kept.db')
const { id } = await first.createSession({ owner: 'me', workspace: '/work' })
const second = await openStore('kept.db')
await second.session(id)
execFileSync(process.execPath, [process.argv[2], 'sessions'], { env: { ...process.env, PITH_STORE: 'kept.db' } })
for (let i = 0; i < 20; i++) await first.append(id, [{ type: 'message', message: { role: 'user', content: 'kept' } }])
process.kill(process.pid, 'SIGKILL')
`

let packed: Packed
beforeAll(() => {
  packed = pack()
})
afterAll(() => rmSync(packed.folder, { recursive: true, force: true }))

describe('the tarball', () => {
  it('holds the compiled package and its papers, and nothing else', () => {
    const other = packed.files.filter(
      (file) =>
        !/^((dist|docs|examples)\/.*|package\.json|(README|CHANGELOG|CONTEXT|SECURITY)\.md|LICENSE)$/.test(file),
    )
    expect(other).toEqual([])
    const sources = packed.files.filter((file) => /\.ts$/.test(file) && !/\.d\.ts$|^examples\//.test(file))
    expect(sources).toEqual([])
    expect(packed.files.filter((file) => /\.(test|map|tsbuildinfo)\b/.test(file))).toEqual([])
  })

  it('has pages whose links all lead to a file in it', () => {
    const folder = join(packed.folder, 'unpacked')
    mkdirSync(folder)
    execFileSync('tar', ['xzf', packed.tarball, '-C', folder])
    const pages = packed.files.filter((file) => /^(docs\/|[A-Z]+).*\.md$/.test(file))
    expect(pages).toContain('README.md')
    expect(pages.length).toBeGreaterThan(15)
    for (const page of pages)
      expect({ page, broken: brokenLinks(join(folder, 'package'), page) }).toEqual({ page, broken: [] })
  })

  it('holds all that its manifest names', () => {
    const { exports, bin } = manifest()
    const named = [...Object.values(exports), bin].flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target as object),
    )
    for (const file of named) expect(packed.files).toContain(String(file).replace('./', ''))
  })

  it.runIf(why === undefined)('has no fault that publint knows', () => {
    const output = npm(
      ['exec', '--yes', '--package=publint@0.3.25', '--', 'publint', packed.tarball, '--strict'],
      packed.folder,
    )
    expect(output).toContain('All good!')
  })

  it.runIf(why === undefined)('has types that resolve wherever ES modules do', () => {
    const tool = [
      'exec',
      '--yes',
      '--package=@arethetypeswrong/cli@0.18.5',
      '--',
      'attw',
      packed.tarball,
      '--profile',
      'esm-only',
      '--no-emoji',
    ]
    const output = npm(tool, packed.folder)
    expect(output).toContain('"pith/ai-sdk"')
    expect(output).not.toMatch(/^(node16 \(from ESM\)|bundler): (?!OK)/m)
  })
})

describe.runIf(why === undefined)('the package in an empty project', () => {
  it('is one package and the ripgrep of the system, which can be left out', () => {
    expect(packagesOf(emptyProject('whole', packed.tarball))).toEqual([
      expect.stringMatching(/^@vscode\/ripgrep-\w+-\w+$/),
      'pith',
    ])
    const small = emptyProject('small', packed.tarball, '--omit=optional')
    expect(packagesOf(small)).toEqual(['pith'])
    const megabytes = bytesIn(join(small, 'node_modules', 'pith')) / 1e6
    console.info(`pith alone: ${megabytes.toFixed(1)} MB`)
    expect(megabytes).toBeLessThan(MOST_MEGABYTES)
  })

  it('speaks to PostgreSQL without another package', () => {
    const project = join(packed.folder, 'small')
    const code = "import { openStore } from 'pith/store'; await openStore('postgres://127.0.0.1:1/none')"
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: project,
      encoding: 'utf8',
    })
    expect(stderr).toContain('127.0.0.1:1')
    expect(stderr).not.toContain('ERR_MODULE_NOT_FOUND')
  })

  it('has the suite that every store passes, and its own store passes it', () => {
    const { devDependencies } = manifest()
    const tools = ['vitest', 'vite', 'rolldown', 'fast-check'].map((name) => `${name}@${devDependencies[name]}`)
    const project = emptyProject('conformance', packed.tarball, ...tools)
    writeFileSync(
      join(project, 'store.test.js'),
      `import { openStore } from 'pith/store'
import { storeContract } from 'pith/store/conformance'
storeContract('SQLite in memory', (deps) => openStore(':memory:', deps))
`,
    )
    const { stdout, stderr, status } = spawnSync('npx', ['vitest', 'run'], { cwd: project, encoding: 'utf8' })
    expect(status, `${stdout}${stderr}`).toBe(0)
    expect(Number(/(\d+) passed/.exec(stdout.split('Tests').at(-1) ?? '')?.[1])).toBeGreaterThan(200)
  })

  it('says in one line that the AI SDK 6 is too old', () => {
    const project = emptyProject('ai-6', packed.tarball, 'ai@6', 'zod@4', '--omit=optional', '--legacy-peer-deps')
    const code = `import { generateText } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { contextManager } from 'pith/ai-sdk'
const { prepareStep } = contextManager({ window: 8_000 })
await generateText({ model: new MockLanguageModelV3(), prompt: 'hello', prepareStep, maxRetries: 0 })`
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: project,
      encoding: 'utf8',
    })
    expect(stderr).toContain('PithError: pith/ai-sdk needs version 7 of the AI SDK: npm install ai@7')
  })

  const program = `
    let messages = Array.from({ length: 40 }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: 'words '.repeat(200) }))
    async function* askMyModel() { yield '## Goal\\nTo talk.' }
    ${docBlocks().find(({ name, runs }) => runs && name.startsWith('README'))?.code}`

  it.each(VERSIONS)(
    "runs the README's program and `pith --version`, and keeps what it stores, on Node %s",
    (version) => {
      const project = join(packed.folder, `node-${version}`)
      mkdirSync(project)
      writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
      npm(['install', packed.tarball, `node-${process.platform}-${process.arch}@${version}`], project)
      const node = join(project, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
      const run = (...args: string[]) =>
        spawnSync(node, args, { cwd: project, encoding: 'utf8', env: { ...process.env, PITH_HOME: project } })
      expect(run('--version').stdout).toMatch(new RegExp(`^v${version.replace('.', '\\.')}\\.`))

      writeFileSync(join(project, 'program.js'), program)
      expect(run('program.js')).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringMatching(/\d+ → \d+ tokens/),
      })

      const pith = join('node_modules', 'pith', manifest().bin.pith ?? '')
      expect(run(pith, '--version')).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringContaining(manifest().version),
      })

      const imports = entries().filter((name) => name !== 'pith/store/conformance')
      writeFileSync(join(project, 'imports.js'), imports.map((name) => `await import('${name}')`).join('\n'))
      expect(run('imports.js')).toMatchObject({ status: 0, stderr: '' })

      writeFileSync(join(project, 'kept.js'), KEPT)
      expect(run('kept.js', pith)).toMatchObject({ signal: 'SIGKILL', stderr: '' })
      expect(run(pith, 'store', 'check', 'kept.db').stdout).toBe(
        '1 session with 20 entries read, no damage and no gaps found\n',
      )
    },
  )

  it('says in one line what it needs on Node 20, which is too old', () => {
    const project = join(packed.folder, 'node-20')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
    npm(['install', packed.tarball, `node-${process.platform}-${process.arch}@20`], project)
    const node = join(project, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
    const pith = join('node_modules', 'pith', manifest().bin.pith ?? '')
    for (const args of [[pith], [pith, '--version'], [pith, 'compact', 'example']]) {
      const { status, stdout, stderr } = spawnSync(node, args, { cwd: project, encoding: 'utf8' })
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(/^pith: Node 22\.19 or later is needed, this is 20\.[^\n]*\n$/)
    }
  })

  it('has the types that its users see', () => {
    const project = join(packed.folder, 'types')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
    npm(['install', packed.tarball, 'typescript@5.9', '@types/node@22', 'ai@7'], project)
    const options = { strict: true, module: 'nodenext', target: 'es2023', noEmit: true, types: ['node'] }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
    const every = entries().map((name, index) => `export * as entry${index} from '${name}'`)
    writeFileSync(join(project, 'every-entry.ts'), every.join('\n'))
    writeFileSync(
      join(project, 'program.ts'),
      `import { generateText } from 'ai'
import { fit, type Message } from 'pith'
import { contextManager } from 'pith/ai-sdk'
const messages: Message[] = []
export const fitted: Message[] = (await fit(messages, { window: 8_000 })).messages
export const answer = () => generateText({ model: 'openai/gpt-5', messages, prepareStep: contextManager().prepareStep })
`,
    )
    const compiler = join(project, 'node_modules', 'typescript', 'bin', 'tsc')
    const check = (...options: string[]) =>
      spawnSync(process.execPath, [compiler, ...options], { cwd: project, encoding: 'utf8' })
    expect(check('--skipLibCheck')).toMatchObject({ stdout: '', status: 0 })
    // The declarations themselves; those of other packages are not ours to fix.
    expect(
      check()
        .stdout.split('\n')
        .filter((line) => line.startsWith('node_modules/pith/')),
    ).toEqual([])
  })
})

/** The names that a user can import, as they are written. */
function entries(): string[] {
  const names = Object.keys(manifest().exports).filter((name) => name !== './package.json')
  return names.map((name) => name.replace(/^\./, 'pith'))
}

/** An installed project, and what was installed with it. */
function emptyProject(name: string, ...packages: string[]): string {
  const project = join(packed.folder, name)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
  npm(['install', ...packages], project)
  return project
}

function packagesOf(project: string): string[] {
  const folder = join(project, 'node_modules')
  const files = globSync(['*/package.json', '@*/*/package.json'], { cwd: folder })
  return files.map((file) => dirname(file)).toSorted()
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

if (why === undefined) {
  const { stdout } = spawnSync('npm', ['--version'], { encoding: 'utf8' })
  console.info(
    `npm ${stdout.trim()}, from git ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()}`,
  )
}
