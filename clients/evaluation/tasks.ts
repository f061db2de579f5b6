import { arrangingTasks, correctingTasks } from './correcting-tasks.ts'
import { refusingTasks } from './refusing-tasks.ts'
import { pictureTasks, proposingTasks, reportingTasks } from './reporting-tasks.ts'
import type { Task } from './task.ts'
import { restoringTasks, translatingTasks } from './translating-tasks.ts'
import { shorteningTasks, writingTasks } from './writing-tasks.ts'

/** Forty tasks of an editor. */
export const TASKS: readonly Task[] = [
  ...writingTasks,
  ...shorteningTasks,
  ...correctingTasks,
  ...arrangingTasks,
  ...restoringTasks,
  ...translatingTasks,
  ...pictureTasks,
  ...proposingTasks,
  ...reportingTasks,
  ...refusingTasks,
]
