import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export const ROOT = resolve(import.meta.dirname, '..', '..')

/** The modules that importing a file of src loads, in a process of its own: ours from src on, packages by their name. */
export function loadedModules(file: string): string[] {
  const script = `
    import { registerHooks } from 'node:module'
    const seen = []
    registerHooks({ resolve(name, context, next) { const found = next(name, context); seen.push(found.url); return found } })
    await import(${JSON.stringify(pathToFileURL(join(ROOT, 'src', file)).href)})
    console.log(JSON.stringify(seen))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const urls = JSON.parse(output.split('\n')[0] ?? '') as string[]
  return [...new Set(urls.map(nameOf))].toSorted()
}

function nameOf(url: string): string {
  const inPackage = url.split('/node_modules/').at(-1)
  if (inPackage !== url && inPackage !== undefined) {
    const [scope = '', name = ''] = inPackage.split('/')
    return scope.startsWith('@') ? `${scope}/${name}` : scope
  }
  return url.split('/src/').at(-1) ?? url
}
