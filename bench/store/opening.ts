import { execFileSync } from 'node:child_process'
import { median } from '../harness/timing.ts'

/** Opening a session against parsing its log, each in processes of their own, so that time and peak memory are their own. */
export function opening({ path, lines, id }: { path: string; lines: string; id: string }): void {
  execFileSync(process.execPath, ['scripts/build.mjs'])
  const built = new URL('../../dist/', import.meta.url).href
  const ours = runs(`
    const { openStore } = await import('${built}store/index.js')
    const { openSession } = await import('${built}session/open-session.js')
    // Loading a program is not part of opening a session.
    await import('${built}store/sqlite/open-sqlite.js')
    const start = performance.now()
    const store = await openStore(${JSON.stringify(path)})
    const { view } = await openSession(store, ${JSON.stringify(id)})
    ${report('view.items.length')}
    await store.close()`)
  const theirs = runs(`
    import { readFileSync } from 'node:fs'
    const start = performance.now()
    const text = readFileSync(${JSON.stringify(lines)}, 'utf8')
    const log = text.split('\\n').filter(Boolean).map((line) => JSON.parse(line))
    ${report('log.length')}`)
  console.log(
    `open a session of ${theirs.count - 1} entries (${ours.count} in its view): ${ours.ms.toFixed(1)} ms, ${ours.mb.toFixed(0)} MB peak`,
  )
  console.log(
    `  JSON.parse of the same log as JSON Lines: ${theirs.ms.toFixed(0)} ms, ${theirs.mb.toFixed(0)} MB → ${(theirs.ms / ours.ms).toFixed(1)} times faster`,
  )
}

type Run = { readonly ms: number; readonly mb: number; readonly count: number }

function runs(code: string): Run {
  const all = Array.from({ length: 11 }, () => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
    return JSON.parse(output) as Run
  })
  const middle = (what: 'ms' | 'mb') => median(all.map((run) => run[what]))
  return { ms: middle('ms'), mb: middle('mb'), count: all[0]?.count ?? 0 }
}

/** The same as `peakBytes` of the harness. Loading that module would change the measurement. */
function report(count: string): string {
  return `
    const ms = performance.now() - start
    const status = await import('node:fs').then((fs) => fs.readFileSync('/proc/self/status', 'utf8')).catch(() => '')
    const kilobytes = /VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS
    console.log(JSON.stringify({ ms, mb: Number(kilobytes) / 1024, count: ${count} }))`
}
