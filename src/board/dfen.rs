//! DFEN, the text form of a position: FEN with several en-passant targets and a seventh field for the dice.
//!
//! `<placement> <w|b> <castling> <en-passant> [<half-move> [<full-move> [<dice>]]]`, single spaces between the fields.
//! Reading is strict: what is not exactly a position is an error that names the field and the text. Some things are
//! read and written back normalised: white space, castling letters and en-passant targets in any order, adjacent digits in a
//! rank, leading zeros, clocks that are left out, the order and case of dice, and `-` for none.

use std::fmt;
use std::str::FromStr;

use super::{Bitboard, CastlingRights, Color, DicePool, PieceType, Position, Square};

/// Longer texts are refused unread.
pub const MAX_DFEN_LENGTH: usize = 512;

/// A text that is no DFEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid DFEN, {field} '{text}': {reason}")]
pub struct DfenError {
    /// The field at fault: `placement`, `side`, `castling`, `en-passant`, `half-move`, `full-move`, `dice`, `fields` for
    /// a wrong number of fields, `input` for the text as a whole.
    pub field: &'static str,
    /// The whole text of that field; its start when it is over-long.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl DfenError {
    fn new(field: &'static str, text: &str, reason: impl Into<String>) -> Self {
        Self { field, text: text.to_owned(), reason: reason.into() }
    }

    /// The error for a text of `length` bytes, over [`MAX_DFEN_LENGTH`], of which `start` is known.
    pub(crate) fn too_long(start: &str, length: usize) -> Self {
        let start: String = start.chars().take(32).chain(['…']).collect();
        let reason = format!("{length} bytes, over the limit of {MAX_DFEN_LENGTH}");
        Self::new("input", &start, reason)
    }
}

impl FromStr for Position {
    type Err = DfenError;

    /// Reads a DFEN.
    ///
    /// ```
    /// use dicechess_native::board::Position;
    /// let position: Position = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 KQP".parse().unwrap();
    /// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1 PQK");
    ///
    /// let error = "4k3/8/8/8/8/8/8/4K3 w - - 128 1".parse::<Position>().unwrap_err();
    /// assert_eq!(error.to_string(), "invalid DFEN, half-move '128': not a number from 0 to 127");
    /// ```
    fn from_str(dfen: &str) -> Result<Self, DfenError> {
        let mut fields = checked_text(dfen)?.split(' ');
        let mut next = || fields.next().unwrap_or_default();
        let mut position = parse_placement(next())?;
        position.set_side_to_move(parse_side(next())?);
        position.set_castling(parse_castling(next())?);
        position.set_en_passant(parse_en_passant(next())?);
        let max_half_move = u32::from(Position::MAX_HALF_MOVE);
        let half_move = parse_number("half-move", next(), 0, max_half_move)?;
        position.set_half_move(half_move.unwrap_or(0) as u8);
        let full_move = parse_number("full-move", next(), 1, Position::MAX_FULL_MOVE)?;
        position.set_full_move(full_move.unwrap_or(1));
        position.set_dice(parse_dice(next())?);
        Ok(position)
    }
}

/// The text without white space around it, once its length, its characters and its number of fields are right.
fn checked_text(dfen: &str) -> Result<&str, DfenError> {
    if dfen.len() > MAX_DFEN_LENGTH {
        return Err(DfenError::too_long(dfen, dfen.len()));
    }
    if !dfen.is_ascii() {
        return Err(DfenError::new("input", dfen, "not ASCII"));
    }
    let text = dfen.trim();
    let fields = text.split(' ').count();
    if !(4..=7).contains(&fields) {
        let reason = format!("{fields} fields, expected 4 to 7");
        return Err(DfenError::new("fields", text, reason));
    }
    if text.split(' ').any(str::is_empty) {
        let reason = "empty field, expected single spaces";
        return Err(DfenError::new("fields", text, reason));
    }
    Ok(text)
}

fn parse_placement(text: &str) -> Result<Position, DfenError> {
    let ranks = text.split('/').count();
    if ranks != 8 {
        let reason = format!("{ranks} ranks, expected 8");
        return Err(DfenError::new("placement", text, reason));
    }
    let mut position = Position::empty();
    for (rank_text, rank) in text.split('/').zip((0..8).rev()) {
        parse_rank(&mut position, rank_text, rank)
            .map_err(|reason| DfenError::new("placement", text, reason))?;
    }
    Ok(position)
}

/// Puts the pieces of one rank on the board; the error is the reason.
fn parse_rank(position: &mut Position, text: &str, rank: u8) -> Result<(), String> {
    let name = rank + 1;
    let mut file = 0;
    for byte in text.bytes() {
        if let b'1'..=b'8' = byte {
            file += byte - b'0';
        } else if let Some(piece) = PieceType::from_letter(byte) {
            let color = if byte.is_ascii_uppercase() { Color::White } else { Color::Black };
            if file < 8 {
                position.set_piece(Square::from_coords(file, rank), Some((color, piece)));
            }
            file += 1;
        } else {
            let letter = char::from(byte);
            return Err(format!("'{letter}' in rank {name} is no piece and no digit 1-8"));
        }
        if file > 8 {
            return Err(format!("rank {name} is wider than 8 files"));
        }
    }
    if file < 8 {
        return Err(format!("rank {name} is {file} files wide, expected 8"));
    }
    Ok(())
}

fn parse_side(text: &str) -> Result<Color, DfenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(DfenError::new("side", text, "expected w or b")),
    }
}

const CASTLING_LETTERS: [(char, CastlingRights); 4] = [
    ('K', CastlingRights::king_side(Color::White)),
    ('Q', CastlingRights::queen_side(Color::White)),
    ('k', CastlingRights::king_side(Color::Black)),
    ('q', CastlingRights::queen_side(Color::Black)),
];

fn parse_castling(text: &str) -> Result<CastlingRights, DfenError> {
    let mut rights = CastlingRights::NONE;
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let known = CASTLING_LETTERS.iter().find(|(known, _)| *known == letter);
        let Some(&(_, right)) = known else {
            let reason = format!("'{letter}' is none of K Q k q");
            return Err(DfenError::new("castling", text, reason));
        };
        if rights.contains(right) {
            let reason = format!("'{letter}' is repeated");
            return Err(DfenError::new("castling", text, reason));
        }
        rights = rights.with(right);
    }
    Ok(rights)
}

fn parse_en_passant(text: &str) -> Result<Bitboard, DfenError> {
    let error = |reason: String| DfenError::new("en-passant", text, reason);
    let mut targets = Bitboard::EMPTY;
    if text == "-" {
        return Ok(targets);
    }
    for pair in text.as_bytes().chunks(2) {
        let name = String::from_utf8_lossy(pair);
        let target: Square = name.parse().map_err(|_| error(format!("'{name}' is not a square")))?;
        if targets.contains(target) {
            return Err(error(format!("'{name}' is repeated")));
        }
        targets |= target.bitboard();
    }
    Ok(targets)
}

/// A number within the range; `None` when the field is missing.
fn parse_number(field: &'static str, text: &str, min: u32, max: u32) -> Result<Option<u32>, DfenError> {
    if text.is_empty() {
        return Ok(None);
    }
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|number| digits && (min..=max).contains(number))
        .map(Some)
        .ok_or_else(|| DfenError::new(field, text, format!("not a number from {min} to {max}")))
}

fn parse_dice(text: &str) -> Result<DicePool, DfenError> {
    if text.is_empty() || text == "-" {
        return Ok(DicePool::EMPTY);
    }
    if text.len() > DicePool::MAX {
        return Err(DfenError::new("dice", text, "more than three dice"));
    }
    let mut dice = [PieceType::Pawn; DicePool::MAX];
    for (die, letter) in dice.iter_mut().zip(text.bytes()) {
        *die = PieceType::from_letter(letter).ok_or_else(|| {
            let reason = format!("'{}' is none of P N B R Q K", char::from(letter));
            DfenError::new("dice", text, reason)
        })?;
    }
    let pool = DicePool::from_dice(&dice[..text.len()]).unwrap_or_default();
    Ok(pool.sorted())
}

impl fmt::Display for Position {
    /// Writes canonical DFEN: six fields, and a seventh with the dice, sorted, when there are any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            write_rank(self, rank, f)?;
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        let side = match self.side_to_move() {
            Color::White => "w",
            Color::Black => "b",
        };
        write!(f, " {side} ")?;
        for (letter, right) in CASTLING_LETTERS {
            if self.castling().contains(right) {
                write!(f, "{letter}")?;
            }
        }
        if self.castling() == CastlingRights::NONE {
            f.write_str("-")?;
        }
        f.write_str(" ")?;
        for target in self.en_passant() {
            write!(f, "{target}")?;
        }
        if self.en_passant().is_empty() {
            f.write_str("-")?;
        }
        write!(f, " {} {}", self.half_move(), self.full_move())?;
        if !self.dice().is_empty() {
            f.write_str(" ")?;
        }
        for die in self.dice().sorted() {
            write!(f, "{}", die.letter(self.side_to_move()))?;
        }
        Ok(())
    }
}

fn write_rank(position: &Position, rank: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut empty = 0;
    for file in 0..8 {
        match position.piece_at(Square::from_coords(file, rank)) {
            None => empty += 1,
            Some((color, piece)) => {
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                empty = 0;
                write!(f, "{}", piece.letter(color))?;
            }
        }
    }
    if empty > 0 {
        write!(f, "{empty}")?;
    }
    Ok(())
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
