import { basename, dirname } from 'node:path'
import { isInside } from '../../config/read/read-unasked.ts'
import { isWritable, placeAt, type SandboxPlace } from './places.ts'
import { canExpand, type ForbiddenPath, forbidsNetwork, rulePaths } from './rule-paths.ts'
import type { SandboxFolders, Wall } from './sandbox.ts'

/**
 * Linux: the file system is read-only, except for some folders. A command sees only its own processes. So it can neither signal
 * Pith nor read its environment, and everything that it started ends with it.
 */
export function bubblewrap({ workspace, places }: SandboxFolders, hasNetwork: boolean): Wall {
  return {
    name: 'bubblewrap',
    hasNetwork,
    enforces: (rule) => rule.kind === 'network' || canExpand(rule),
    wrap: (program, { never, canOutlive = false }) => {
      const all = places()
      const rules = rulePaths(never, workspace)
      const unreadable = rules.unreadable.filter(({ path }) => placeAt(all, path)?.access !== 'none')
      const closed = rules.readOnly.filter(({ path }) => isWritable(all, path))
      return [
        ...['bwrap', '--ro-bind', '/', '/', '--dev', '/dev'],
        ...all.flatMap((place) => mounted(place, all)),
        ...all.flatMap((place) => (isHiddenFolder(place) ? ['--remount-ro', place.path] : [])),
        ...['--unshare-pid', '--proc', '/proc'],
        // The watchdog ends the others, because the kernel could not spare a command that the user detaches later.
        ...(canOutlive ? [] : ['--die-with-parent']),
        ...heldFolders(closed, workspace).flatMap((folder) => ['--bind', folder, folder]),
        ...closed.flatMap(({ path }) => ['--ro-bind', path, path]),
        ...unreadable.flatMap(hidden),
        ...(hasNetwork && !forbidsNetwork(never) ? [] : ['--unshare-net']),
        ...capabilities(unreadable.some(({ isFolder }) => isFolder)),
        '--',
        ...program,
      ]
    },
  }
}

function mounted(place: SandboxPlace, all: readonly SandboxPlace[]): string[] {
  const { path, access, from = path } = place
  if (access !== 'none') return [access === 'write' ? '--bind' : '--ro-bind', from, path]
  if (!isHiddenFolder(place)) return ['--ro-bind', '/dev/null', path]
  // Only a folder that leads to something else can be entered. Root enters the others too, and finds nothing.
  const isWay = all.some((each) => each !== place && isInside(path, each.path))
  return ['--perms', isWay ? '755' : '000', '--tmpfs', path]
}

function isHiddenFolder({ access, isFolder }: SandboxPlace): boolean {
  return access === 'none' && isFolder === true
}

/**
 * Hidden folders such as `.git` with a read-only part. As mount points they cannot be moved away: a command could otherwise put
 * another folder with a part of its own there. Other folders stay movable, because programs expect that of their sources.
 */
function heldFolders(closed: readonly ForbiddenPath[], workspace: string): string[] {
  const above = closed.map(({ path }) => dirname(path))
  return [...new Set(above.filter((folder) => folder !== workspace && basename(folder).startsWith('.')))].filter(
    (folder) => isInside(workspace, folder),
  )
}

/**
 * A device on a mount without devices cannot be opened by anybody, root included, and git does not add it. An empty file
 * instead could be read, and committed. A folder has no permissions for anybody.
 */
function hidden({ path, isFolder }: ForbiddenPath): string[] {
  return isFolder ? ['--perms', '000', '--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path]
}

/** With its capabilities, root could mount the file system again, write directly to a disk, or enter a folder without permissions. */
function capabilities(hasHiddenFolder: boolean): string[] {
  const kept = ROOT_KEEPS.filter((name) => !hasHiddenFolder || name !== 'CAP_DAC_OVERRIDE')
  return ['--cap-drop', 'ALL', ...kept.flatMap((name) => ['--cap-add', name])]
}

/** The capabilities that root's tools need for files of other users and for servers in the workspace. Other users get none. */
const ROOT_KEEPS =
  process.getuid?.() === 0
    ? ['CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_SETUID', 'CAP_SETGID', 'CAP_KILL']
    : []
