/** Images that are worked on at the same time: as many as keep two processors busy, for memory's sake no more. */
const LANES = 2

/** An image of more pixels than this has all lanes to itself. */
const PIXELS_OF_A_LANE = 25_000_000

interface Waiting {
  readonly lanes: number
  readonly start: () => void
}

const waiting: Waiting[] = []
let free = LANES

/**
 * Runs work on an image of so many pixels when its turn comes, first come first served, so that many uploads together
 * need the memory of two, or of one large one.
 */
export async function inLane<Result>(pixels: number, work: () => Promise<Result>): Promise<Result> {
  const lanes = pixels > PIXELS_OF_A_LANE ? LANES : 1
  await new Promise<void>((start) => {
    waiting.push({ lanes, start })
    startNext()
  })
  try {
    return await work()
  } finally {
    free += lanes
    startNext()
  }
}

function startNext(): void {
  for (let next = waiting[0]; next !== undefined && next.lanes <= free; next = waiting[0]) {
    waiting.shift()
    free -= next.lanes
    next.start()
  }
}
