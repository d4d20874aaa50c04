import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { CONFORMANCE, ENTRY_POINTS } from './bundle.mjs'

const root = resolve(import.meta.dirname, '..')
const ZOD = join(root, 'node_modules', 'zod')

/**
 * Writes the declarations that the entry points refer to, and no others. Those of zod come along: types of Pith are made
 * with it, while a project that uses Pith may have another version of zod, or none.
 */
export function writeDeclarations(dist) {
  const made = join(dist, '.declarations')
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const options = ['-p', 'tsconfig.build.json', '--outDir', made]
  const { status } = spawnSync(process.execPath, [compiler, ...options], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  const zod = join(dist, 'types', 'zod')
  const named = ENTRY_POINTS.filter((name) => name !== CONFORMANCE)
  for (const file of reachable(named.map((name) => join(made, `${name}.d.ts`)))) {
    const target = join(dist, relative(made, file))
    const text = readFileSync(file, 'utf8')
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text.replaceAll(/(['"])zod\1/g, `"${pathTo(dirname(target), join(zod, 'index.js'))}"`))
  }
  rmSync(made, { recursive: true })
  copyZod(zod)
  const suite = readFileSync(join(root, 'scripts', 'conformance.d.ts'), 'utf8')
  writeFileSync(join(dist, `${CONFORMANCE}.d.ts`), suite.replace('../src/store/index.ts', './index.js'))
}

/** The files and all that they import by path. */
function reachable(files) {
  const found = new Set()
  const add = (file) => {
    if (found.has(file)) return
    found.add(file)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?["'](\.[^"']+)["']/g)) {
      add(resolve(dirname(file), name.replace(/\.[jt]s$/, '.d.ts')))
    }
  }
  for (const file of files) add(file)
  return found
}

function copyZod(folder) {
  for (const file of globSync(['index.d.ts', 'v4/{classic,core,locales}/*.d.ts'], { cwd: ZOD })) {
    cpSync(join(ZOD, file), join(folder, file))
  }
  cpSync(join(ZOD, 'LICENSE'), join(folder, 'LICENSE'))
}

function pathTo(from, file) {
  const path = relative(from, file).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}
