//! The squares a piece attacks.
//!
//! Sliding attacks use the subtraction trick o ^ (o − 2r) ("hyperbola quintessence", Chess Programming Wiki) along files
//! and diagonals and a 512-byte table along ranks: no large table competes with the host for its caches.

use super::{Bitboard, Color, PieceType, Square};

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

static KNIGHT: [Bitboard; 64] = step_table(&KNIGHT_STEPS);
static KING: [Bitboard; 64] = step_table(&KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [step_table(&[(1, 1), (-1, 1)]), step_table(&[(1, -1), (-1, -1)])];

/// The lines through a square, without the square itself.
struct Lines {
    file: u64,
    diagonal: u64,
    anti_diagonal: u64,
}

static LINES: [Lines; 64] = line_table();
/// Attacks along a rank, by file and by the occupancy of the six inner squares.
static RANK: [[u8; 64]; 8] = rank_table();

const fn on_board(file: i8, rank: i8) -> bool {
    file >= 0 && file < 8 && rank >= 0 && rank < 8
}

const fn step_table(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            let file = (square % 8) as i8 + steps[i].0;
            let rank = (square / 8) as i8 + steps[i].1;
            if on_board(file, rank) {
                table[square].0 |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

const fn line(square: usize, file_step: i8, rank_step: i8) -> u64 {
    let mut set = 0;
    let mut distance = -7;
    while distance <= 7 {
        let file = (square % 8) as i8 + distance * file_step;
        let rank = (square / 8) as i8 + distance * rank_step;
        if distance != 0 && on_board(file, rank) {
            set |= 1 << (rank * 8 + file);
        }
        distance += 1;
    }
    set
}

const fn line_table() -> [Lines; 64] {
    let mut table = [const { Lines { file: 0, diagonal: 0, anti_diagonal: 0 } }; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Lines {
            file: line(square, 0, 1),
            diagonal: line(square, 1, 1),
            anti_diagonal: line(square, 1, -1),
        };
        square += 1;
    }
    table
}

const fn rank_table() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = (inner << 1) as u8;
            let mut attacks = 0u8;
            let mut to = file + 1;
            while to < 8 {
                attacks |= 1 << to;
                if occupied >> to & 1 != 0 {
                    break;
                }
                to += 1;
            }
            to = file;
            while to > 0 {
                to -= 1;
                attacks |= 1 << to;
                if occupied >> to & 1 != 0 {
                    break;
                }
            }
            table[file][inner] = attacks;
            inner += 1;
        }
        file += 1;
    }
    table
}

static BETWEEN: [[Bitboard; 64]; 64] = between_table();

const fn between_table() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (file_step, rank_step) = KING_STEPS[direction];
            let (mut file, mut rank) = ((from % 8) as i8 + file_step, (from / 8) as i8 + rank_step);
            let mut passed = 0;
            while on_board(file, rank) {
                let to = (rank * 8 + file) as usize;
                table[from][to] = Bitboard(passed);
                passed |= 1 << to;
                (file, rank) = (file + file_step, rank + rank_step);
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

/// The squares strictly between two squares of one line; empty when they share none.
#[inline]
pub fn between(from: Square, to: Square) -> Bitboard {
    BETWEEN[from.index()][to.index()]
}

/// The squares a knight attacks.
///
/// ```
/// use dicechess_native::board::{attacks, Square};
/// // . . . . . . . .
/// // . . 1 . 1 . . .   (rank 6)
/// // . 1 . . . 1 . .
/// // . . . N . . . .   (d4)
/// // . 1 . . . 1 . .
/// // . . 1 . 1 . . .
/// let d4: Square = "d4".parse().unwrap();
/// assert_eq!(attacks::knight(d4).count(), 8);
/// ```
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a king attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a pawn of `color` attacks: one step forward to either side.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares a rook attacks when `occupied` squares block it; the first blocker is attacked.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let shift = 8 * u32::from(square.rank());
    let inner = (occupied.0 >> shift) as usize >> 1 & 63;
    let rank = u64::from(RANK[usize::from(square.file())][inner]) << shift;
    Bitboard(rank | along(square, occupied.0, LINES[square.index()].file))
}

/// The squares a bishop attacks when `occupied` squares block it; the first blocker is attacked.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(along(square, occupied.0, lines.diagonal) | along(square, occupied.0, lines.anti_diagonal))
}

/// The squares a queen attacks when `occupied` squares block it; the first blocker is attacked.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// The squares a piece of `color` attacks when `occupied` squares block it.
#[inline(always)]
pub(crate) fn of_piece(color: Color, piece: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match piece {
        PieceType::Pawn => pawn(color, square),
        PieceType::Knight => knight(square),
        PieceType::Bishop => bishop(square, occupied),
        PieceType::Rook => rook(square, occupied),
        PieceType::Queen => queen(square, occupied),
        PieceType::King => king(square),
    }
}

/// The squares on the lines through a square along which a piece slides; none for one that does not.
#[inline(always)]
pub(crate) fn lines(piece: PieceType, square: Square) -> Bitboard {
    let both = |[one, other]: [Bitboard; 2]| one | other;
    match piece {
        PieceType::Bishop => both(diagonals(square)),
        PieceType::Rook => both(orthogonals(square)),
        PieceType::Queen => both(diagonals(square)) | both(orthogonals(square)),
        PieceType::Pawn | PieceType::Knight | PieceType::King => Bitboard::EMPTY,
    }
}

/// The file and the rank of a square, without the square itself.
#[inline(always)]
pub(crate) fn orthogonals(square: Square) -> [Bitboard; 2] {
    [Bitboard(LINES[square.index()].file), Bitboard::rank(square.rank()) & !square.bitboard()]
}

/// The diagonals through a square, without the square itself.
#[inline(always)]
pub(crate) fn diagonals(square: Square) -> [Bitboard; 2] {
    let lines = &LINES[square.index()];
    [Bitboard(lines.diagonal), Bitboard(lines.anti_diagonal)]
}

/// Attacks along a line that has at most one square on each rank, so that reversing the bytes reverses the line.
#[inline]
fn along(square: Square, occupied: u64, line: u64) -> u64 {
    let from = square.bitboard().0;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(from << 1);
    let down = blockers.swap_bytes().wrapping_sub(from.swap_bytes() << 1).swap_bytes();
    (up ^ down) & line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attacks by walking square by square: the definition the fast versions must meet.
    fn walked(square: Square, occupied: Bitboard, steps: &[(i8, i8)]) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for &(file_step, rank_step) in steps {
            let (mut file, mut rank) = (square.file() as i8, square.rank() as i8);
            loop {
                (file, rank) = (file + file_step, rank + rank_step);
                if !on_board(file, rank) {
                    break;
                }
                let to = Square::from_coords(file as u8, rank as u8);
                set |= to.bitboard();
                if occupied.contains(to) {
                    break;
                }
            }
        }
        set
    }

    #[test]
    fn sliding_attacks_equal_a_walk_along_the_lines() {
        let orthogonal = [(0, 1), (0, -1), (1, 0), (-1, 0)];
        let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let mut seed = 1u64;
        for square in Square::all() {
            for density in 0..400 {
                let mut occupied = u64::MAX;
                for _ in 0..density % 4 {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    occupied &= seed ^ seed >> 29;
                }
                let occupied = Bitboard(occupied);
                assert_eq!(rook(square, occupied), walked(square, occupied, &orthogonal));
                assert_eq!(bishop(square, occupied), walked(square, occupied, &diagonal));
            }
        }
    }
}
