import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { percentile } from './typing.ts'

// The built program, as users have it, if there is one: `npm run build` makes it.
const BUILT = resolve(import.meta.dirname, '../../dist/cli/main.js')
const SOURCE = resolve(import.meta.dirname, '../../src/cli/main.ts')
const ROOT = resolve(import.meta.dirname, '../..')
const FIRST_SCREEN = resolve(import.meta.dirname, 'first-screen.ts')
const PRINT_CPU = '{ const { user, system } = process.cpuUsage(); console.log((user + system) / 1000) }'
const RUNS = 12

/** The modules that are loaded before the first screen, and those after it. */
const BEFORE = [
  'src/cli/run-command-line.ts',
  'src/cli/commands/tui/tui.ts',
  'src/tui/app/run-terminal.ts',
  'src/tui/app/app.ts',
]
const AFTER = [
  'src/config/index.ts',
  'src/store/sqlite/open-sqlite.ts',
  'src/models/registry.ts',
  'src/agent/open/open-agent.ts',
  'src/tui/local/local-port.ts',
]
const PACKAGES = [
  '@earendil-works/pi-tui/dist/tui-main-screen.js',
  '@earendil-works/pi-tui/dist/components/editor.js',
  '@earendil-works/pi-tui/dist/components/markdown.js',
  '@earendil-works/pi-tui/dist/index.js',
  'zod',
  'yaml',
  'ai',
]

/** Prints the time to the first screen against bare Node, and what imports cost. */
export async function measureStartUp(): Promise<void> {
  const bare = await times(() => timed(() => spawnSync(process.execPath, ['-e', '0'])))
  console.log(`start-up, ms (median of ${RUNS})\n`)
  console.log(`  node -e 0            ${format(bare)}`)
  if (spawnSync('script', ['--version']).status !== 0) {
    console.log('  script is missing, so the program cannot be started in a terminal: apt-get install bsdutils')
  } else {
    const programs = [['from source', SOURCE] as const, ['as built', BUILT] as const].filter(([, main]) =>
      existsSync(main),
    )
    for (const [title, main] of programs) await measureScreens(title, main, bare)
    console.log(
      '\nto the first screen, ms of processor time above bare Node (other work on the machine does not count)\n',
    )
    for (const [title, main] of programs) console.log(`  ${title.padEnd(20)} ${format(await firstScreenCpu(main))}`)
  }
  console.log('\nimports alone, ms of processor time above bare Node\n')
  const least = await cpuOf(['-e', PRINT_CPU])
  for (const [title, modules] of Object.entries({
    'before the first screen': BEFORE,
    'after it': AFTER,
    packages: PACKAGES,
  })) {
    console.log(`  ${title}`)
    for (const module of modules) console.log(`    ${module.padEnd(52)} ${format((await importTime(module)) - least)}`)
  }
}

async function measureScreens(title: string, main: string, bare: number): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'pith-bench-'))
  // The first start fills the cache of compiled code.
  await firstScreen(home, main)
  const screens: { first: number; ready: number }[] = []
  for (let i = 0; i < RUNS; i++) screens.push(await firstScreen(home, main))
  rmSync(home, { recursive: true, force: true })
  const first = median(screens.map((each) => each.first))
  const ready = median(screens.map((each) => each.ready))
  console.log(`  ${title.padEnd(12)} first screen ${format(first)}  (${format(first - bare).trim()} above bare Node)`)
  console.log(`  ${title.padEnd(12)} session      ${format(ready)}`)
}

async function importTime(module: string): Promise<number> {
  const url = module.startsWith('src/') ? resolve(ROOT, module) : module
  return cpuOf(['--input-type=module', '-e', `await import(${JSON.stringify(url)}); ${PRINT_CPU}`])
}

/** The processor time of the program until its first screen. */
async function firstScreenCpu(main: string): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'pith-bench-'))
  const file = join(home, 'cpu')
  const env = { ...process.env, PITH_HOME: home, PITH_BENCH_FILE: file }
  const run = () => {
    spawnSync('script', ['-qfec', `"${process.execPath}" --import "${FIRST_SCREEN}" "${main}"`, '/dev/null'], { env })
    return Number(readFileSync(file, 'utf8'))
  }
  // The first start fills the cache of compiled code.
  run()
  const cpu = await times(run)
  rmSync(home, { recursive: true, force: true })
  return cpu
}

/** The processor time of a program that prints it. */
function cpuOf(args: readonly string[]): Promise<number> {
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const
  return times(() => Number(spawnSync(process.execPath, args, options).stdout.trim()), 5)
}

/** Starts the program in a terminal, and reads what it writes. */
function firstScreen(home: string, main: string): Promise<{ first: number; ready: number }> {
  return new Promise((done) => {
    const startedAt = performance.now()
    const child = spawn('script', ['-qfec', `"${process.execPath}" "${main}"`, '/dev/null'], {
      cwd: home,
      env: { ...process.env, PITH_HOME: home, COLUMNS: '80', LINES: '30' },
    })
    let seen = ''
    child.once('close', () => done({ first: Number.NaN, ready: Number.NaN }))
    let first = Number.NaN
    child.stdout.on('data', (data: Buffer) => {
      seen += data.toString()
      if (Number.isNaN(first) && seen.includes('──')) first = performance.now() - startedAt
      if (!seen.includes('/help lists')) return
      done({ first, ready: performance.now() - startedAt })
      child.stdout.removeAllListeners('data')
      child.stdin.write('\x03\x03')
      child.kill()
    })
  })
}

async function times(run: () => number, count = RUNS): Promise<number> {
  return median(Array.from({ length: count }, run))
}

function timed(run: () => unknown): number {
  const startedAt = performance.now()
  run()
  return performance.now() - startedAt
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function format(ms: number): string {
  return ms.toFixed(0).padStart(5)
}
