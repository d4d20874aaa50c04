import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** The file of a program that the user could start by its name. */
export function programPath(name: string, path: string): string | undefined {
  return filesOf(name, path).find(isProgram)
}

/**
 * Why a program cannot be started by its name or path; undefined if it can. The system's own error is not reliable: for a
 * missing program it is EACCES instead of ENOENT if the user may not enter one of the folders of the PATH.
 */
export function programProblem(name: string, path: string, cwd: string = process.cwd()): string | undefined {
  const isPath = /[/\\]/.test(name)
  const files = (isPath ? [name] : filesOf(name, path)).map((file) => resolve(cwd, file))
  if (files.some(isProgram)) return undefined
  const file = files.find(isFile)
  if (file !== undefined) return `${file} is not executable`
  return isPath ? `there is no file ${name}` : `\`${name}\` is not on the PATH`
}

/**
 * A PATH without the folders that cannot be entered: with such a folder, some shells report each missing command as
 * "Permission denied". A folder that does not exist stays, because a command may create it.
 */
export function enterablePath(path: string, cwd: string): string {
  const folders = path.split(delimiter).filter((folder) => mayBeEntered(resolve(cwd, folder)))
  return folders.join(delimiter)
}

function mayBeEntered(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}

function filesOf(name: string, path: string): string[] {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : ['']
  return path.split(delimiter).flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return isFile(file)
  } catch {
    return false
  }
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile()
  } catch {
    return false
  }
}
