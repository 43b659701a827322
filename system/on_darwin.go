package system

// maxrssShift makes bytes of ru_maxrss, which Darwin gives in bytes.
const maxrssShift = 0
