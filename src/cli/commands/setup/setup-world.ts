import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { PACKAGE } from '../../process/package.ts'
import { ownCommand } from './own-command.ts'
import type { SetupWorld } from './setup-agent.ts'

/** This machine, as `pith setup` meets it. */
export function setupWorld(env: NodeJS.ProcessEnv = process.env): SetupWorld {
  return {
    env,
    home: homedir(),
    pith: ownCommand(packageFile('cli/main'), env.PATH ?? ''),
    packageFile,
    builtFile: (name) => join(PACKAGE, 'dist', name),
    exists: (file) => existsSync(file),
  }
}

/** In a checkout the sources are what runs. */
function packageFile(name: string): string {
  return import.meta.filename.endsWith('.ts') ? join(PACKAGE, 'src', `${name}.ts`) : join(PACKAGE, 'dist', `${name}.js`)
}
