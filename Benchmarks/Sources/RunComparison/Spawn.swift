import Foundation

/// Starts a program as the first of a process group, with nothing on its standard input, and with no signal blocked or
/// ignored, whatever the thread that starts it does: Dispatch's threads block most.
///
/// Foundation's `Process` learns of the end by a descriptor that other programs inherit when they start at the same
/// time, and then sees it only when those have ended too.
/// - Parameters:
///   - environment: variables that are set where the environment does not set them.
///   - output: a descriptor for standard output, and `errors` one for standard error.
/// - Returns: the process, or the number of an error.
func spawn(
  _ command: [String], environment: [String: String], output: Int32, errors: Int32
) -> (process: pid_t, error: Int32) {
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
  #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
  #endif
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, output, 1)
  posix_spawn_file_actions_adddup2(&actions, errors, 2)
  var none = sigset_t()
  var all = sigset_t()
  sigemptyset(&none)
  sigfillset(&all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  posix_spawnattr_setpgroup(&attributes, 0)
  posix_spawnattr_setflags(
    &attributes,
    Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  let variables = ProcessInfo.processInfo.environment.filter {
    !ofAnotherRepository.contains($0.key)
  }
  .merging(environment) { old, _ in old }
  let arguments = command.map { strdup($0) } + [nil]
  let assignments = variables.map { strdup("\($0)=\($1)") } + [nil]
  defer {
    for allocation in arguments + assignments { free(allocation) }
  }
  var process: pid_t = 0
  let error = posix_spawnp(&process, command[0], &actions, &attributes, arguments, assignments)
  return (process, error)
}

/// By these git tells a hook which repository it works on, and the index of a commit that is being made. A command with
/// another folder would believe them, and a new worktree would overwrite that index with its own.
private let ofAnotherRepository: Set = [
  "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX",
  "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
]
