// Makes the single executable of Pith, which needs no Node: npm run binary [-- SYSTEM --node FILE]
//
//   npm run binary                                          for this machine
//   npm run binary -- win32-x64 --node node-v24/node.exe    for another one, with its Node of the same version
//   node scripts/binary.mjs --list                          only the checksums and install.sh, for all files in binary/
//
// It is Node itself with the package inside (a "single executable application"). The package is not compiled, so it can be made
// for any system on any other. What differs:
//
//   macOS     The program has to be signed again, because Node's own signature no longer fits: on a Mac this script does so with
//             `codesign`; on other systems, run `codesign --sign - pith` on a Mac afterwards. An Apple chip starts nothing unsigned.
//             To be downloaded with a browser it needs a developer's certificate and a notarization, too.
//   Windows   Node's signature no longer fits there either. The program starts, with a warning of SmartScreen, until it is
//             signed again: `signtool sign /fd SHA256 pith.exe`. It was made here, and never run.
//   Alpine    Node's own builds need glibc. A Node that was built for musl works as `--node`; it was never tried.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { installScript } from './install-script.mjs'
import { repositoryAddress } from './repository-address.mjs'

/** It puts the package into Node's program. Node can do that alone from version 25.5 on. */
const POSTJECT = 'postject@1.0.0-alpha.6'
/** Node has this text, and looks for a package in itself if its last character is 1. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const root = resolve(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { node: { type: 'string' }, list: { type: 'boolean' } },
})
const own = `${process.platform}-${process.arch}`
const [system = own] = positionals
const windows = system.startsWith('win32')
const mac = system.startsWith('darwin')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const out = join(root, 'binary')
const work = mkdtempSync(join(tmpdir(), 'pith-binary-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))
if (values.list !== true) await binary(values.node)
list()

/** The program, and its compressed form for a release. */
async function binary(node = system === own ? process.execPath : undefined) {
  if (node === undefined)
    fail(`name the Node ${process.version} of ${system}, which you get from its makers: --node FILE`)
  if (!existsSync(join(root, 'dist', 'cli', 'main.js'))) fail('there is no dist/: run `npm run build` first')
  mkdirSync(out, { recursive: true })
  const program = join(out, windows ? 'pith.exe' : 'pith')
  await make(program, node)
  const file = join(out, `pith-${manifest.version}-${system}${windows ? '.exe' : ''}.gz`)
  writeFileSync(file, gzipSync(readFileSync(program)))
  for (const each of [program, file]) console.log(`${each}: ${megabytes(each)}`)
}

/** The checksums of what a release has, and the script that installs it. */
function list() {
  const names = readdirSync(out).filter((name) => name.startsWith(`pith-${manifest.version}-`))
  const sums = names.map((name) => `${sha256(readFileSync(join(out, name)))}  ${name}`)
  writeFileSync(join(out, 'SHA256SUMS'), `${sums.join('\n')}\n`)
  const address = repositoryAddress(manifest)
  const from = address && `${address}/releases/download/v${manifest.version}`
  writeFileSync(join(out, 'install.sh'), installScript({ version: manifest.version, sums, from }))
}

async function make(program, node) {
  const start = join(work, 'start.cjs')
  const made = await rolldown({ cwd: root, input: 'src/cli/executable/start.ts', platform: 'node' })
  await made.write({ file: start, format: 'cjs', codeSplitting: false })
  await made.close()
  const archive = packed(files())
  const name = `${manifest.version}-${sha256(archive).slice(0, 12)}`
  writeFileSync(join(work, 'archive'), archive)
  writeFileSync(join(work, 'name'), name)
  const config = {
    main: start,
    output: join(work, 'blob'),
    disableExperimentalSEAWarning: true,
    assets: { package: join(work, 'archive'), name: join(work, 'name') },
  }
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config))
  run(process.execPath, ['--experimental-sea-config', join(work, 'sea.json')])
  cpSync(node, program)
  chmodSync(program, 0o755)
  if (mac && process.platform === 'darwin') run('codesign', ['--remove-signature', program])
  const segment = mac ? ['--macho-segment-name', 'NODE_SEA'] : []
  npx(POSTJECT, [program, 'NODE_SEA_BLOB', config.output, '--sentinel-fuse', FUSE, ...segment])
  if (mac && process.platform === 'darwin') run('codesign', ['--sign', '-', program])
}

/** The files of the package that its users run, without types and pages, and the ripgrep of the system. */
function files() {
  const built = filesIn(join(root, 'dist'), 'dist').filter(({ path }) => !/\.d\.ts$|^dist\/native\//.test(path))
  const native = filesIn(join(root, 'dist', 'native'), 'dist/native').filter(({ path }) => path.includes(system))
  const papers = ['package.json', 'LICENSE'].map((path) => ({ path, file: join(root, path) }))
  const name = `@vscode/ripgrep-${system}`
  const licence = { path: 'licence-of-node.txt', file: licenceOfNode() }
  return [...papers, licence, ...built, ...native, ...filesIn(ripgrep(name), `node_modules/${name}`)]
}

function licenceOfNode() {
  const folder = join(root, 'node_modules', 'node', 'node_modules')
  return (
    readdirSync(folder)
      .map((name) => join(folder, name, 'LICENSE'))
      .find((file) => existsSync(file)) ?? fail('there is no licence of Node in node_modules/node')
  )
}

/** The folder of a package of ripgrep: npm installs only the one of this machine. */
function ripgrep(name) {
  const installed = join(root, 'node_modules', name)
  if (existsSync(installed)) return installed
  const { version } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[`node_modules/${name}`]
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', work, `${name}@${version}`]))
  run('tar', ['xzf', join(work, filename), '-C', work])
  return join(work, 'package')
}

function filesIn(folder, prefix) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, path: prefix + file.slice(folder.length).replaceAll('\\', '/') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** The form that `src/cli/executable/unpack.ts` reads. */
function packed(list) {
  const contents = list.map(({ file }) => readFileSync(file))
  const entries = list.map(({ file, path }, i) => ({
    path,
    mode: statSync(file).mode & 0o777,
    size: contents[i].length,
  }))
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(entries)}\n`), ...contents])
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } })
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}

function megabytes(file) {
  return `${(statSync(file).size / 1e6).toFixed(1)} MB`
}

function npx(name, args) {
  npm(['exec', '--yes', `--package=${name}`, '--', name.split('@')[0], ...args])
}

function npm(args) {
  return run('npm', ['--loglevel=error', ...args], process.platform === 'win32')
}

function run(program, args, shell = false) {
  return execFileSync(program, args, { cwd: root, encoding: 'utf8', shell, stdio: ['ignore', 'pipe', 'inherit'] })
}

function fail(line) {
  console.error(`binary: ${line}`)
  process.exit(1)
}
