package system

// maxrssShift converts ru_maxrss to bytes: Darwin reports bytes.
const maxrssShift = 0
